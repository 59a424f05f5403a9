package io.postbox.crash.load;

import static io.postbox.crash.load.Operator.ASIDE;
import static io.postbox.crash.load.Operator.CAPTURED;
import static io.postbox.crash.load.Operator.JOBS;
import static io.postbox.crash.load.Operator.NOWHERE;
import static io.postbox.crash.load.Operator.event;
import static io.postbox.crash.load.Operator.id;

import io.postbox.crash.load.Jobs.Lot;
import io.postbox.crash.load.Operator.Kept;
import io.postbox.testkit.model.Event.Decision;
import io.postbox.testkit.model.Event.Place;
import io.postbox.testkit.server.Http;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * What an operator does: each scene makes jobs of its own, lets them meet with a trouble, and does
 * something about it. It ends with an exception when a server does not answer, or when it is to be
 * over; what it has begun goes on in the servers.
 */
public final class OperatorScenes {
  private static final int SET = 10;
  private static final int KEY = 4;
  private static final int FIRST = 3;
  private static final String SLOWLY = "\"perSecond\":5,";

  /** What can be done about a set. */
  private static final int CHOICES = 6;

  private static final int ALL = 0;

  /** The first one fails again. */
  private static final int FAILING_FIRST = 1;

  private final Operator operator;
  private final Random random;
  private final BooleanSupplier isOver;

  /**
   * @param isOver whether they are to come to an end
   */
  public OperatorScenes(Operator operator, long seed, BooleanSupplier isOver) {
    this.operator = operator;
    this.isOver = isOver;
    random = new Random(seed);
  }

  /** Something that an operator does through one server. */
  @FunctionalInterface
  interface Scene {
    void play(Console console) throws IOException;
  }

  /** Dead letters are redriven, first ones ahead of the others, of which one fails again. */
  public void redriveFirst(Console console) throws IOException {
    deadSet(console, FAILING_FIRST);
  }

  /** Of the dead letters of one key one is discarded, and the others are left. */
  public void discardOneOfAKey(Console console) throws IOException {
    severalDeadOfAKey(console, Decision.DISCARD, false);
  }

  /** Parked messages are redriven. */
  public void redriveParked(Console console) throws IOException {
    parkedSet(console, JOBS, "exception", ALL); // after an interrupt it is parked a minute later
  }

  List<Scene> all() {
    return List.of(
        this::deadSet,
        this::deadSet,
        this::headOfAKey,
        this::severalDeadOfAKey,
        this::parkedSet,
        this::parkedSet,
        this::headOfACapturedKey,
        this::pausedDestination,
        this::pausedConsumer,
        this::nowhere,
        this::archived,
        this::goneRequester);
  }

  private boolean comes(Operator.Look look) throws IOException {
    return Operator.comes(isOver, look);
  }

  /** Waits until so many of a lot wait for a decision; those that do then. */
  private List<Kept> awaitKept(Console console, Place place, Lot lot, int number)
      throws IOException {
    List<Kept> kept = new ArrayList<>();
    comes(
        () -> {
          kept.clear();
          kept.addAll(operator.look(console, place, "event=" + lot.name()));
          return kept.size() >= number;
        });
    return kept;
  }

  private Lot enqueued(Console console, Lot lot) throws IOException {
    operator.jobs.enqueue(console.base(), lot);
    return lot;
  }

  /** Many dead letters of one cause. */
  private void deadSet(Console console) throws IOException {
    deadSet(console, random.nextInt(CHOICES));
  }

  private void deadSet(Console console, int choice) throws IOException {
    Lot lot = operator.lot(JOBS, false, false, SET);
    operator.jobs.trouble(console.base(), "loader", lot.name(), "exception");
    enqueued(console, lot);
    aboutASet(console, lot, "loader", awaitKept(console, Place.OUTBOX, lot, SET), choice);
  }

  /** Many parked messages of one cause. */
  private void parkedSet(Console console) throws IOException {
    parkedSet(console, random.nextBoolean() ? JOBS : CAPTURED, failure(), random.nextInt(CHOICES));
  }

  private void parkedSet(Console console, String destination, String failure, int choice)
      throws IOException {
    Lot lot = operator.lot(destination, false, false, SET);
    operator.jobs.trouble(console.base(), "handler", lot.name(), failure);
    enqueued(console, lot);
    aboutASet(console, lot, "handler", awaitKept(console, Place.INBOX, lot, SET), choice);
  }

  private String failure() {
    List<String> kinds =
        operator.mayInterrupt()
            ? List.of("exception", "error", "interrupt")
            : List.of("exception", "error");
    return kinds.get(random.nextInt(kinds.size()));
  }

  private void aboutASet(Console console, Lot lot, String place, List<Kept> kept, int choice)
      throws IOException {
    if (kept.isEmpty()) {
      return;
    }
    String all = event(lot.name());
    Kept one = kept.get(0);
    switch (choice) {
      case ALL -> {
        operator.jobs.mend(console.base(), lot.name());
        end(console, operator.begin(console, Decision.REDRIVE, all, kept, 0, SLOWLY));
      }
      case FAILING_FIRST -> {
        operator.jobs.trouble(console.base(), place, String.valueOf(one.job()), "exception");
        operator.jobs.mend(console.base(), lot.name());
        String action = operator.begin(console, Decision.REDRIVE, all, kept, FIRST, "");
        end(console, action);
        operator.look(console, one.place(), "event=" + lot.name());
        operator.jobs.mend(console.base(), String.valueOf(one.job()));
        if (random.nextBoolean()) {
          operator.goOn(console, action);
        }
      }
      case 2 -> {
        operator.jobs.mend(console.base(), lot.name());
        end(console, operator.begin(console, Decision.REDRIVE, all, kept, FIRST, SLOWLY));
      }
      case 3 -> end(console, operator.begin(console, Decision.DISCARD, all, kept, 0, ""));
      case 4 -> { // one is to go, another one not, the others are nobody's affair
        operator.jobs.mend(console.base(), lot.name());
        end(console, operator.begin(console, Decision.DISCARD, id(one), List.of(one), 0, ""));
        Kept other = kept.get(kept.size() - 1);
        end(console, operator.begin(console, Decision.REDRIVE, id(other), List.of(other), 0, ""));
        operator.look(console, one.place(), "event=" + lot.name());
      }
      default -> { // while the trouble lasts: what is edited needs no loader any more
        operator.edit(console, one);
        operator.jobs.mend(console.base(), lot.name());
        end(console, operator.begin(console, Decision.REDRIVE, all, kept, 0, ""));
      }
    }
  }

  private String end(Console console, String action) throws IOException {
    return operator.awaitEnd(console, action, isOver);
  }

  /** A dead letter with others behind it, which wait for the decision. */
  private void headOfAKey(Console console) throws IOException {
    Lot lot = operator.lot(JOBS, true, true, KEY);
    String head = String.valueOf(lot.jobs().get(1));
    operator.jobs.trouble(console.base(), "loader", head, "exception");
    enqueued(console, lot);
    List<Kept> kept = awaitKept(console, Place.OUTBOX, lot, 1);
    enqueued(console, operator.jobs.more(lot, 2));
    if (!kept.isEmpty()) {
      aboutOne(console, lot, head, kept.get(0));
    }
  }

  /** The same of a captured message that is parked. */
  private void headOfACapturedKey(Console console) throws IOException {
    Lot lot = operator.lot(CAPTURED, true, false, KEY);
    String head = String.valueOf(lot.jobs().get(1));
    operator.jobs.trouble(console.base(), "handler", head, failure());
    enqueued(console, lot);
    List<Kept> kept = awaitKept(console, Place.INBOX, lot, 1);
    enqueued(console, operator.jobs.more(lot, 2));
    if (!kept.isEmpty()) {
      aboutOne(console, lot, head, kept.get(0));
    }
  }

  private void aboutOne(Console console, Lot lot, String trouble, Kept head) throws IOException {
    switch (random.nextInt(3)) {
      case 0 ->
          end(console, operator.begin(console, Decision.DISCARD, id(head), List.of(head), 0, ""));
      case 1 -> {
        operator.jobs.mend(console.base(), trouble);
        end(console, operator.begin(console, Decision.REDRIVE, id(head), List.of(head), 0, ""));
      }
      default -> {
        Kept changed = new Kept(head.place(), operator.edit(console, head), head.job(), head.lot());
        operator.jobs.mend(console.base(), trouble);
        end(
            console,
            operator.begin(console, Decision.REDRIVE, id(changed), List.of(changed), 0, ""));
      }
    }
    operator.look(console, head.place(), "event=" + lot.name());
  }

  /** Dead letters of one key, of which a policy lets each die; then another holds the key. */
  private void severalDeadOfAKey(Console console) throws IOException {
    severalDeadOfAKey(
        console, random.nextBoolean() ? Decision.DISCARD : Decision.REDRIVE, random.nextBoolean());
  }

  private void severalDeadOfAKey(Console console, Decision decision, boolean thenAll)
      throws IOException {
    String destination = "destinations/" + CAPTURED;
    Lot lot = operator.lot(CAPTURED, true, false, KEY);
    operator.setPolicy(console, destination, "\"onDeadLetter\":\"continue\",\"maxAttempts\":1");
    operator.jobs.trouble(console.base(), "loader", lot.name(), "exception");
    enqueued(console, lot);
    List<Kept> kept = awaitKept(console, Place.OUTBOX, lot, KEY);
    operator.change(console, "DELETE", destination + "/policy", "");
    operator.jobs.mend(console.base(), lot.name());
    if (kept.size() < KEY) {
      return;
    }
    Kept one = kept.get(random.nextInt(KEY));
    end(console, operator.begin(console, decision, id(one), List.of(one), 0, ""));
    List<Kept> left = operator.look(console, Place.OUTBOX, "event=" + lot.name());
    if (!left.isEmpty() && thenAll) {
      end(console, operator.begin(console, Decision.REDRIVE, event(lot.name()), left, 0, SLOWLY));
    }
  }

  private void pausedDestination(Console console) throws IOException {
    operator.pause(console, ASIDE);
    Lot lot = enqueued(console, operator.lot(ASIDE, random.nextBoolean(), false, KEY));
    List<String> waiting =
        console.items("messages", "destination=" + ASIDE + "&event=" + lot.name());
    if (!waiting.isEmpty()) {
      String one = waiting.get(random.nextInt(waiting.size()));
      operator.cancel(
          console, Http.field(one, "id"), Long.parseLong(Http.field(one, "aggregateId")));
    }
    if (random.nextBoolean()) {
      end(console, operator.discardWaiting(console, ASIDE, lot.jobs()));
    }
    operator.resume(console, ASIDE);
  }

  /** And the relay, for a moment: the sample's messages wait too. */
  private void pausedConsumer(Console console) throws IOException {
    operator.change(console, "POST", "consumers/" + CAPTURED + "/pause", "");
    operator.setPolicy(console, "consumers/" + JOBS, "\"maxAttempts\":1");
    enqueued(console, operator.lot(CAPTURED, random.nextBoolean(), false, KEY));
    operator.change(console, "POST", "relay/pause", "");
    enqueued(console, operator.lot(JOBS, true, true, KEY));
    operator.change(console, "POST", "relay/resume", "");
    operator.change(console, "DELETE", "consumers/" + JOBS + "/policy", "");
    operator.change(console, "POST", "consumers/" + CAPTURED + "/resume", "");
  }

  private void nowhere(Console console) throws IOException {
    enqueued(console, operator.lot(NOWHERE, random.nextBoolean(), false, KEY));
    operator.redirect(console, NOWHERE, JOBS);
    if (random.nextBoolean()) {
      operator.change(console, "DELETE", "destinations/" + NOWHERE + "/redirect", "");
    }
  }

  private void archived(Console console) throws IOException {
    Lot lot = enqueued(console, operator.lot(JOBS, false, false, KEY));
    List<String> sent = new ArrayList<>();
    comes(
        () -> {
          sent.clear();
          sent.addAll(console.items("outbox/archive", "event=" + lot.name()));
          return sent.size() >= KEY;
        });
    for (String one : sent.stream().limit(2).toList()) {
      operator.resend(
          console,
          Http.field(one, "id"),
          Long.parseLong(Http.field(one, "aggregateId")),
          one.equals(sent.get(0)));
    }
  }

  private void goneRequester(Console console) throws IOException {
    for (int i = 0; i < KEY; i++) {
      operator.jobs.ask(console.base(), operator.lot(CAPTURED, false, false, 1));
    }
  }
}
