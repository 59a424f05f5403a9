package io.postbox.crash.load;

import static org.awaitility.Awaitility.await;

import io.postbox.crash.load.Console.Answer;
import io.postbox.crash.load.Jobs.Lot;
import io.postbox.testkit.model.Event.ActionEnded;
import io.postbox.testkit.model.Event.Decision;
import io.postbox.testkit.model.Event.DestinationSwitched;
import io.postbox.testkit.model.Event.JobsDecided;
import io.postbox.testkit.model.Event.JobsSeenKept;
import io.postbox.testkit.model.Event.Place;
import io.postbox.testkit.model.History;
import io.postbox.testkit.server.Http;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Somebody who looks after the messages of jobs, over the console of the servers: plans, redrives,
 * discards, edits, resends, policies, pauses and redirects. He writes down what he has seen and
 * decided. Over all rounds; one thread at a time has him act.
 */
public final class Operator {
  static final String JOBS = "jobs";
  static final String CAPTURED = "jobs-captured";

  /** Another name of the queue of jobs, which is paused at times. */
  static final String ASIDE = "jobs-aside";

  /** A destination that no server has. */
  static final String NOWHERE = "jobs-nowhere";

  private static final Duration LONGEST_LOOK = Duration.ofSeconds(20);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
  private static final int LONGEST_REASON = 200;
  private static final String REASON = "\"reason\":\"an operator of the campaign\"";
  private static final String ONLY_REASON = "{" + REASON + "}";

  final Jobs jobs;
  private final History history;
  private final boolean mayInterrupt;
  private final List<Action> open = new ArrayList<>();
  private final Set<Long> edited = new HashSet<>();
  private final AtomicLong begun = new AtomicLong();

  /**
   * @param mayInterrupt whether handlers may leave their thread interrupted: on H2 an interrupt
   *     closes the file of the database
   */
  public Operator(History history, boolean mayInterrupt) {
    this.history = history;
    this.mayInterrupt = mayInterrupt;
    jobs = new Jobs(history);
  }

  /**
   * A message that waits for a decision.
   *
   * @param id of the letter, or of the row
   */
  record Kept(Place place, String id, long job, String lot) {}

  /**
   * An action that was asked for and may not have ended.
   *
   * @param plan the id of its plan
   */
  private record Action(
      String plan,
      Duration asked,
      String kind,
      Decision decision,
      Place place,
      List<Long> jobs,
      int first,
      long planned) {
    /** Known even if no answer has said it. */
    String id() {
      return plan.substring(plan.lastIndexOf('.') + 1);
    }
  }

  /** The load has ended in the middle of a scene. */
  static final class OverException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Takes note of why a scene has no end. */
  void giveUp(IOException unanswered) {
    String why = unanswered.toString();
    history.mark("", "operator: " + why.substring(0, Math.min(why.length(), LONGEST_REASON)));
  }

  boolean mayInterrupt() {
    return mayInterrupt;
  }

  /** How many actions he has begun so far. */
  public long begun() {
    return begun.get();
  }

  /** Waits for something that need not come. */
  static boolean comes(BooleanSupplier isOver, Look look) throws IOException {
    try {
      await("something that an operator waits for")
          .atMost(LONGEST_LOOK)
          .pollDelay(Duration.ZERO)
          .pollInterval(BETWEEN_LOOKS)
          .until(() -> isOver.getAsBoolean() || look.isThere());
    } catch (ConditionTimeoutException late) {
      return false;
    }
    if (isOver.getAsBoolean()) {
      throw new OverException();
    }
    return true;
  }

  @FunctionalInterface
  interface Look {
    boolean isThere() throws IOException;
  }

  /** What of a lot waits for a decision, in the console's order; {@code filter} chooses. */
  List<Kept> look(Console console, Place place, String filter) throws IOException {
    Duration asked = history.now();
    List<Kept> kept =
        console
            .items(place == Place.OUTBOX ? "outbox/dead-letters" : "inbox/parked", filter)
            .stream()
            .map(
                item ->
                    new Kept(
                        place,
                        Http.field(item, "id"),
                        Long.parseLong(Http.field(item, "aggregateId")),
                        Http.field(item, "eventType")))
            .toList();
    history.note(
        new JobsSeenKept(history.now(), asked, place, kept.stream().map(Kept::job).toList()));
    return kept;
  }

  /** Asks for a change that needs no plan; whether it was answered as done. */
  boolean change(Console console, String method, String address, String body) throws IOException {
    return console.ask(method, address, body.isEmpty() ? ONLY_REASON : body).isDone();
  }

  boolean setPolicy(Console console, String address, String fields) throws IOException {
    return change(console, "PUT", address + "/policy", "{%s,%s}".formatted(fields, REASON));
  }

  void pause(Console console, String destination) throws IOException {
    Duration asked = history.now();
    if (change(console, "POST", "destinations/" + destination + "/pause", "")) {
      history.note(new DestinationSwitched(history.now(), asked, destination, true));
    }
  }

  void resume(Console console, String destination) throws IOException {
    Duration asked = history.now();
    try {
      change(console, "POST", "destinations/" + destination + "/resume", "");
    } finally { // from when on it may be resumed
      history.note(new DestinationSwitched(history.now(), asked, destination, false));
    }
  }

  void redirect(Console console, String destination, String target) throws IOException {
    Answer plan =
        console.ask(
            "POST",
            "outbox/plans",
            "{\"action\":\"redirect\",\"destination\":\"%s\"}".formatted(destination));
    if (plan.isDone()) {
      change(
          console,
          "POST",
          "destinations/" + destination + "/redirect",
          "{\"target\":\"%s\",\"plan\":\"%s\",%s}".formatted(target, plan.text("id"), REASON));
    }
  }

  /**
   * Plans a redrive or discard and begins it.
   *
   * @param filter that selects these and nothing else
   * @param how more fields of the request, each with a comma at its end
   * @return the action's id; empty if it was refused
   */
  String begin(
      Console console, Decision decision, String filter, List<Kept> kept, int first, String how)
      throws IOException {
    Place place = kept.get(0).place();
    String word = decision == Decision.REDRIVE ? "redrive" : "discard";
    String plan =
        place == Place.OUTBOX
            ? "{\"action\":\"%s\",\"filter\":{%s}}".formatted(word, filter)
            : "{\"kind\":\"parked\",\"action\":\"%s\",\"filter\":{%s}%s}"
                .formatted(
                    word, filter, decision == Decision.REDRIVE ? ",\"replies\":\"drop\"" : "");
    Answer planned =
        console.ask("POST", place == Place.OUTBOX ? "outbox/plans" : "inbox/plans", plan);
    if (!planned.isDone()) {
      return "";
    }
    return run(
        console,
        new Action(
            planned.text("id"),
            history.now(),
            word + " of the " + place,
            decision,
            place,
            kept.stream().map(Kept::job).toList(),
            first,
            planned.number("messages")),
        how + (first > 0 ? "\"first\":%s,".formatted(first) : ""));
  }

  /** Discards what waits for a destination, which is these. */
  String discardWaiting(Console console, String destination, List<Long> waiting)
      throws IOException {
    Answer planned =
        console.ask(
            "POST",
            "outbox/plans",
            "{\"action\":\"discard-waiting\",\"destination\":\"%s\"}".formatted(destination));
    if (!planned.isDone()) {
      return "";
    }
    return run(
        console,
        new Action(
            planned.text("id"),
            history.now(),
            "discard-waiting",
            Decision.DISCARD,
            Place.OUTBOX,
            waiting,
            0,
            planned.number("messages")),
        "");
  }

  private String run(Console console, Action action, String how) throws IOException {
    if (action.decision() == Decision.DISCARD) {
      jobs.discard(action.jobs());
    }
    open.add(action);
    Answer answer =
        console.ask(
            "POST", "plans/%s/run".formatted(action.plan()), "{%s%s}".formatted(how, REASON));
    if (answer.status() / 100 == 4) {
      open.remove(action);
      return "";
    }
    begun.incrementAndGet();
    return action.id();
  }

  /**
   * Waits until an action does not go on any more.
   *
   * @return its state; empty if that is not known
   */
  String awaitEnd(Console console, String id, BooleanSupplier isOver) throws IOException {
    if (id.isEmpty() || !comes(isOver, () -> !state(console, id).equals("RUNNING"))) {
      return "";
    }
    String state = state(console, id);
    if (state.equals("DONE")) {
      closeEnded(console);
    }
    return state;
  }

  private static String state(Console console, String id) throws IOException {
    Answer answer = console.ask("GET", "actions/" + id, "");
    if (answer.status() == 404 || answer.status() == 410) {
      return "NONE";
    }
    if (!answer.isDone()) {
      throw new IOException("GET actions/" + id + " answered " + answer);
    }
    return answer.text("state");
  }

  /** Lets an action that has stopped go on, with all that is left of it. */
  void goOn(Console console, String id) throws IOException {
    open.stream()
        .filter(action -> action.id().equals(id))
        .findFirst()
        .ifPresent(
            it ->
                open.add(
                    new Action(
                        it.plan(),
                        history.now(),
                        it.kind(),
                        it.decision(),
                        it.place(),
                        it.jobs(),
                        0,
                        it.planned())));
    change(console, "POST", "actions/" + id + "/resume", "");
  }

  /** Takes note of the actions that have ended, and returns whether none is open any more. */
  private boolean closeEnded(Console console) throws IOException {
    for (Action action : List.copyOf(open)) {
      Answer answer = console.ask("GET", "actions/" + action.id(), "");
      if (answer.status() == 404 || answer.status() == 410) {
        open.remove(action); // it was never begun
        continue;
      }
      if (!answer.isDone()) {
        throw new IOException("GET actions/" + action.id() + " answered " + answer);
      }
      String state = answer.text("state");
      if (state.equals("DONE") || state.equals("CANCELLED")) {
        open.remove(action);
        boolean isAll = state.equals("DONE") && answer.number("done") == action.jobs().size();
        decided(
            action.asked(),
            action.decision(),
            action.place(),
            action.jobs(),
            action.first(),
            isAll);
        history.note(
            new ActionEnded(
                history.now(),
                action.id(),
                action.kind(),
                state,
                action.planned(),
                answer.number("done"),
                answer.number("failedAgain")));
      }
    }
    return open.isEmpty();
  }

  private void decided(
      Duration asked,
      Decision decision,
      Place place,
      List<Long> about,
      int first,
      boolean isCertain) {
    history.note(new JobsDecided(history.now(), asked, decision, place, about, first, isCertain));
  }

  /** Adds a word to a message that waits for a decision; the letter's id from then on. */
  String edit(Console console, Kept kept) throws IOException {
    String half = kept.place() == Place.OUTBOX ? "outbox" : "inbox";
    Answer plan =
        console.ask(
            "POST",
            half + "/edits",
            "{\"id\":\"%s\",\"text\":\"%s;%s%s\"}"
                .formatted(kept.id(), kept.job(), kept.lot(), Decision.EDITED));
    if (!plan.isDone()) {
      return kept.id();
    }
    Duration asked = history.now();
    boolean isCertain = false;
    edited.add(kept.job());
    try {
      // the last id of the answer is the plan's
      String id = plan.body().substring(plan.body().lastIndexOf("\"id\""));
      Answer answer =
          console.ask("POST", "%s/edits/%s/run".formatted(half, Http.field(id, "id")), ONLY_REASON);
      isCertain = answer.isDone();
      return isCertain && kept.place() == Place.OUTBOX ? answer.text("message") : kept.id();
    } finally {
      decided(asked, Decision.EDIT, kept.place(), List.of(kept.job()), 0, isCertain);
    }
  }

  /** Cancels a message that waits. */
  void cancel(Console console, String id, long job) throws IOException {
    single(console, "cancel", id, Decision.DISCARD, job);
  }

  /** Sends an archived message again; under a new id it takes effect once more. */
  void resend(Console console, String id, long job, boolean underItsOwn) throws IOException {
    if (underItsOwn) {
      Answer plan = planOne(console, "resend", id);
      if (plan.isDone()) {
        console.ask("POST", "plans/%s/run".formatted(plan.text("id")), ONLY_REASON);
      }
    } else {
      single(console, "resend-as", id, Decision.RESEND, job);
    }
  }

  private void single(Console console, String word, String id, Decision decision, long job)
      throws IOException {
    Answer plan = planOne(console, word, id);
    if (!plan.isDone()) {
      return;
    }
    Duration asked = history.now();
    boolean isDone = false;
    boolean isTooLate = false;
    if (decision == Decision.DISCARD) {
      jobs.discard(List.of(job));
    }
    try {
      Answer answer = console.ask("POST", "plans/%s/run".formatted(plan.text("id")), ONLY_REASON);
      isDone = answer.isDone() && answer.text("changed").equals("true");
      isTooLate = answer.status() / 100 == 4 || (answer.isDone() && !isDone);
    } finally {
      if (!isTooLate) {
        decided(asked, decision, Place.OUTBOX, List.of(job), 0, isDone);
      }
    }
  }

  private static Answer planOne(Console console, String word, String id) throws IOException {
    return console.ask(
        "POST", "outbox/plans", "{\"action\":\"%s\",\"id\":\"%s\"}".formatted(word, id));
  }

  /**
   * Ends all troubles, pauses, policies and actions, and redrives what is left, until every job is
   * done about which nobody has decided otherwise. All servers run.
   *
   * @param limit until it is given up
   * @return whether that came to an end
   */
  public boolean tidyUp(Console console, Duration limit) {
    AtomicBoolean isCleared = new AtomicBoolean();
    try {
      await("an operator to have nothing left to do")
          .atMost(limit)
          .pollDelay(Duration.ZERO)
          .pollInterval(BETWEEN_LOOKS)
          .until(
              () -> {
                isCleared.compareAndSet(false, isCleared.get() || isCleared(console));
                return isCleared.get() && isTidy(console);
              });
      return true;
    } catch (ConditionTimeoutException late) {
      return false;
    }
  }

  private boolean isCleared(Console console) {
    try {
      jobs.mend(console.base(), "%");
      for (String destination : List.of(JOBS, CAPTURED, ASIDE, NOWHERE)) {
        resume(console, destination);
        change(console, "DELETE", "destinations/" + destination + "/policy", "");
      }
      for (String consumer : List.of(JOBS, CAPTURED)) {
        change(console, "POST", "consumers/" + consumer + "/resume", "");
        change(console, "DELETE", "consumers/" + consumer + "/policy", "");
      }
      change(console, "POST", "relay/resume", "");
      redirect(console, NOWHERE, JOBS);
      return true;
    } catch (IOException busy) {
      return false;
    }
  }

  private boolean isTidy(Console console) {
    try {
      for (Action action : List.copyOf(open)) {
        String state = state(console, action.id());
        if (state.equals("PAUSED") || state.equals("FAILED")) {
          change(console, "POST", "actions/" + action.id() + "/cancel", "");
        }
      }
      boolean areEnded = closeEnded(console);
      return areEnded && nothingIsKept(console) && jobs.areDone(console.base());
    } catch (IOException busy) {
      return false;
    }
  }

  private boolean nothingIsKept(Console console) throws IOException {
    boolean isNothing = true;
    for (Place place : Place.values()) {
      Map<String, List<Kept>> lots = new TreeMap<>();
      for (String name : List.of(JOBS, CAPTURED, ASIDE, NOWHERE)) {
        look(console, place, (place == Place.OUTBOX ? "destination=" : "consumer=") + name)
            .forEach(kept -> lots.computeIfAbsent(kept.lot(), lot -> new ArrayList<>()).add(kept));
      }
      for (Map.Entry<String, List<Kept>> lot : lots.entrySet()) {
        isNothing = false;
        begin(console, Decision.REDRIVE, event(lot.getKey()), lot.getValue(), 0, "");
      }
    }
    for (String consumer : List.of(JOBS, CAPTURED)) {
      for (String item : console.items("inbox/quarantined", "consumer=" + consumer)) {
        isNothing &= !discardIfEdited(console, item);
      }
    }
    return isNothing;
  }

  /** A late copy of what was edited is quarantined for its other content. */
  private boolean discardIfEdited(Console console, String item) throws IOException {
    if (edited.isEmpty() || !Http.field(item, "reason").equals("OTHER_CONTENT")) {
      return false;
    }
    Answer plan =
        console.ask(
            "POST",
            "inbox/plans",
            "{\"kind\":\"quarantined\",\"action\":\"discard\",\"filter\":{\"id\":\"%s\"}}"
                .formatted(Http.field(item, "id")));
    return plan.isDone() && change(console, "POST", "plans/%s/run".formatted(plan.text("id")), "");
  }

  static String event(String lot) {
    return "\"event\":\"" + lot + "\"";
  }

  static String id(Kept kept) {
    return "\"id\":\"" + kept.id() + "\"";
  }

  /** How many different jobs are done. */
  public long done(Console console) throws IOException {
    return jobs.done(console.base());
  }

  /** Makes lots for scenes. */
  Lot lot(String destination, boolean hasKey, boolean isOrdered, int size) {
    return jobs.lot(destination, hasKey, isOrdered, size);
  }
}
