package io.postbox.inbox.receiver;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.config.ConsumerConfig;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.FailureLines;
import io.postbox.inbox.log.KeptLines;
import io.postbox.inbox.message.DelayedRetry;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.MessageId;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.receiver.FakeIdempotencyStore.Back;
import io.postbox.inbox.receiver.FakeIdempotencyStore.Bug;
import io.postbox.inbox.receiver.Limits.Kind;
import io.postbox.inbox.receiver.Limits.Limit;
import io.postbox.inbox.receiver.Limits.Used;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A queue in virtual time before an idempotent receiver: messages that are rolled back are
 * redelivered at once; stored ones come again as copies when they have their turn.
 */
final class FakeBroker {
  private static final Duration SECOND = Duration.ofSeconds(1);
  static final Runnable UNTOUCHED = () -> {};

  final FakeIdempotencyStore store = new FakeIdempotencyStore();
  final FakeTransaction transaction = new FakeTransaction();
  final List<MessageEvent> events = new ArrayList<>();
  final List<DeliveryResult> endings = new ArrayList<>();
  final List<Failure> failures = new ArrayList<>();
  final List<Duration> delays = new ArrayList<>();
  final List<String> replies = new ArrayList<>();
  final List<Throwable> thrown = new ArrayList<>();
  final List<Throwable> outages = new ArrayList<>();
  final List<Throwable> doubts = new ArrayList<>();

  /** The messages that could not be sent away, and until when. */
  final Map<String, Away> away = new HashMap<>();

  /** To whom each message goes, one after the other; if none, to the one it says. */
  List<String> consumers = List.of();

  Invocation.Handler handler = run -> "done";
  boolean recordsGetLost;
  boolean commitsFail;
  boolean closed;
  boolean databaseIsDown;
  long outagesSoFar;
  boolean canBeSentAgain = true;
  boolean canBeHandedBack = true;
  @Nullable Duration timeLeft;
  boolean redeliversAtOnce = true;
  boolean sendingFails;

  /** As if each delivery had a transaction of its own, and the server died before it ends. */
  boolean acknowledgementsGetLost;

  /** Tries that were to be on record, and to come off it. */
  int begins;

  int ends;

  /** Whether a process has died a short while ago. */
  boolean anyMayBeRedelivery;

  int questions;

  /** How many statements the delivery had made when its try was put on record. */
  final List<Integer> statementsAtBegin = new ArrayList<>();

  int holds;
  boolean wantsReply;
  boolean mayReply = true;
  boolean repliesFail;

  /** By the commit of another transaction, after that of the delivery. */
  boolean repliesAreRefused;

  boolean canForward;
  int forwarded;
  boolean cannotBeRead;

  /** As if there were too little memory for one more copy of a body. */
  boolean cannotBeCopied;

  /** What happens while a body is copied; nothing happens to {@link #UNTOUCHED}. */
  Runnable whileCopied = UNTOUCHED;

  /** Whether messages are only stored. */
  boolean captures;

  boolean canBeRefused;

  final CountedWakeUps wakeUps = new CountedWakeUps();

  Runnable whileRead = () -> {};
  Duration now = Duration.ZERO;

  /** The consumers' present settings; a test may change them. */
  Function<String, ConsumerConfig> settings;

  private final IdempotentReceiver receiver;
  final Limits limits;
  private final PriorityQueue<Waiting> queue =
      new PriorityQueue<>(Comparator.comparing(Waiting::due).thenComparing(Waiting::place));

  /** How many copies of a message that is handed back are delivered, each time. */
  IntSupplier copiesOfEach = () -> 1;

  /** Whether a copy that does not come is sent again. */
  boolean resends;

  /** The copy that is delivered, if one is. */
  @Nullable StoredRow delivering;

  private final Set<StoredRow> sentCopies = new HashSet<>();
  private final Set<Back> delayed = new HashSet<>();
  private long places;

  record Away(DelayedRetry retry, Duration end) {
    DelayedRetry left(Duration delay) {
      return new DelayedRetry(retry.messageId(), delay, retry.waitedFor(), retry.waits());
    }
  }

  /**
   * A message in its queue, or a stored one until its turn.
   *
   * @param row its row, if it is a stored one
   */
  private record Waiting(
      Duration due, long place, @Nullable TestDelivery delivery, long row, int waitedFor) {
    Waiting(Duration due, long place, TestDelivery delivery) {
      this(due, place, delivery, 0, 0);
    }

    Waiting(Duration due, long place, long row, int waitedFor) {
      this(due, place, null, row, waitedFor);
    }
  }

  FakeBroker(InboxConfig config) {
    Random random = new Random(1);
    limits = new Limits(config, () -> Instant.EPOCH.plus(now));
    settings = config::of;
    FakeAvailability availability = new FakeAvailability();
    receiver =
        new IdempotentReceiver(
            new ReceiverParts(
                config,
                name -> settings.apply(name),
                store,
                availability,
                availability,
                availability,
                new FakeAttemptLog(),
                new FakeFailureLog(),
                new FailureLines(() -> now.toNanos()),
                limits,
                new KeptLines(() -> now.toNanos()),
                events::add,
                wakeUps,
                false,
                random::nextDouble));
  }

  void send(TestDelivery delivery) {
    queue.add(new Waiting(now, places++, delivery));
  }

  /** A count that this node makes. */
  void counts(Kind kind, Used found) {
    limits.mark();
    limits.counted(Map.of(new Limit("shipping", kind), found), Duration.ZERO);
  }

  /** Delivers until nothing is left, or so often. */
  FakeBroker run(int deliveries) {
    for (int i = 0; i < deliveries && !queue.isEmpty(); i++) {
      Waiting next = queue.remove();
      now = now.compareTo(next.due()) > 0 ? now : next.due();
      TestDelivery delivery = next.delivery();
      if (delivery == null) {
        handBack(next.row(), next.waitedFor());
        i--; // that is no delivery
      } else if (deliver(delivery).isEmpty()) {
        History history = delivery.history();
        send(delivery.with(new History(true, history.waitedFor(), history.waits())));
      }
    }
    return this;
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Delivers once; empty if it was rolled back. */
  Optional<String> deliver(TestDelivery delivery) {
    transaction.begin();
    store.begin();
    delivering = delivery.stored();
    Way way = new Way();
    Object returned = null;
    boolean isRefused = false;
    try {
      for (String consumer : consumers.isEmpty() ? List.of(delivery.consumer()) : consumers) {
        TestDelivery one = forOneOf(delivery, consumer);
        DeliveryResult ending =
            receiver.receive(
                captures
                    ? Invocation.capturing(consumer, transaction, () -> read(one), way)
                    : new Invocation(consumer, transaction, () -> read(one), way, handler));
        endings.add(ending);
        returned = ending.returned();
      }
    } catch (Throwable failed) {
      thrown.add(failed);
      isRefused = true;
    }
    if (commitsFail) {
      transaction.setRollbackOnly();
    }
    if (!transaction.commit()) {
      store.rollBack();
      return isRefused || transaction.isTheListeners
          ? Optional.empty()
          : Optional.of("acknowledged and lost");
    }
    if (repliesAreRefused && way.hasReplied) {
      transaction.sendingFails();
      return Optional.empty();
    }
    sendReleased();
    return acknowledgementsGetLost ? Optional.empty() : Optional.of(String.valueOf(returned));
  }

  /** A copy of a stored message is for its consumer alone. */
  private static TestDelivery forOneOf(TestDelivery delivery, String consumer) {
    return delivery.stored() == null || delivery.consumer().equals(consumer)
        ? delivery.to(consumer)
        : delivery.with(new MessageId.OfAnother(delivery.consumer())).to(consumer);
  }

  /** As a person does with all parked messages. */
  void redrive() {
    store.parked.forEach(store::handBack);
    store.parked.clear();
    sendReleased();
  }

  /** Sends copies of what has its turn, once each; another one of each if it is told to. */
  void sendReleased() {
    new TreeMap<>(store.handedBack)
        .forEach(
            (row, back) -> {
              DelayedRetry retry = back.retry();
              if (retry == null) {
                sendOnce(row, back, now, 0);
              } else if (delayed.add(back)) {
                delays.add(retry.delay());
                queue.add(new Waiting(now.plus(retry.delay()), places++, row, retry.waitedFor()));
              }
            });
  }

  /** A retry has its turn. */
  private void handBack(long row, int waitedFor) {
    Back back = store.handedBack.get(row);
    if (back != null && back.retry() != null) {
      sendOnce(row, store.handBack(row, back), now, waitedFor);
    } else if (resends && back != null && store.bug != Bug.ROW_WITHOUT_COPY) {
      send(row, back, now, waitedFor); // its copy has not come
    }
  }

  private void sendOnce(long row, Back back, Duration at, int waitedFor) {
    if (sentCopies.add(new StoredRow(row, back.generation()))) {
      send(row, back, at, waitedFor);
    }
  }

  private void send(long row, Back back, Duration at, int waitedFor) {
    Delivery kept = back.message().delivery();
    TestDelivery copy =
        TestDelivery.of(back.message().messageId())
            .to(kept.consumer())
            .with(kept.fingerprint())
            .with(kept.subject())
            .with(new History(false, waitedFor, 0))
            .with(new StoredRow(row, back.generation()));
    for (int copies = copiesOfEach.getAsInt(); copies > 0; copies--) {
      queue.add(new Waiting(at, places++, copy));
    }
    if (resends) {
      queue.add(new Waiting(at.plusSeconds(60), places++, row, waitedFor));
    }
    if (store.bug == Bug.SENDER_DELETES) {
      store.handedBack.remove(row);
    }
  }

  private Delivery read(TestDelivery delivery) {
    whileRead.run();
    if (cannotBeRead) {
      throw new IllegalStateException("the provider cannot read it");
    }
    Delivery read = delivery.delivery();
    return cannotBeCopied || whileCopied != UNTOUCHED
        ? new Delivery(
            read.consumer(),
            read.id(),
            read.fingerprint(),
            read.source(),
            read.eventType(),
            read.subject(),
            read.dataSubject(),
            read.destination(),
            read.replyTo(),
            read.headers(),
            read.history(),
            read.body(),
            () -> {
              whileCopied.run();
              if (cannotBeCopied) {
                throw new OutOfMemoryError("Java heap space");
              }
              return read.content().get();
            },
            read.metadata(),
            read.schedule(),
            read.stored())
        : read;
  }

  private final class Way implements Route {
    private boolean hasReplied;

    @Override
    public boolean canBeSentAgain() {
      return canBeSentAgain;
    }

    @Override
    public boolean canBeHandedBack() {
      return canBeHandedBack;
    }

    @Override
    public Optional<Duration> timeLeft() {
      return Optional.ofNullable(timeLeft);
    }

    @Override
    public boolean canForward() {
      return canForward;
    }

    @Override
    public void forward() {
      if (sendingFails) {
        throw new InboxException("there is no dead queue", null);
      }
      forwarded++;
    }

    @Override
    public boolean redeliversAtOnce() {
      return redeliversAtOnce;
    }

    @Override
    public boolean canBeRefused() {
      return canBeRefused;
    }

    @Override
    public boolean wantsReply() {
      return wantsReply;
    }

    @Override
    public boolean mayReply() {
      return mayReply;
    }

    @Override
    public void reply(String result) {
      if (repliesFail) {
        throw new InboxException("nobody takes replies", null);
      }
      hasReplied = true;
      replies.add(result);
    }
  }

  private final class FakeFailureLog implements FailureLog {
    @Override
    public void begins(String consumer, String messageId) {}

    @Override
    public void ends(String consumer, String messageId) {}

    @Override
    public void record(Failure failure) {
      failures.add(failure);
      if (!recordsGetLost) {
        store.write(failure);
      }
    }

    @Override
    public void await(String consumer, String messageId) {
      // all are written
    }
  }

  private final class FakeAttemptLog implements AttemptLog {
    @Override
    public boolean mayBeRedelivery(String messageId) {
      questions++;
      return anyMayBeRedelivery;
    }

    @Override
    public RecordedAttempt begin(String consumer, String messageId, boolean isRedelivery) {
      begins++;
      statementsAtBegin.add(store.statements);
      return RecordedAttempt.unrecorded(consumer, messageId);
    }

    @Override
    public void ends(RecordedAttempt recorded, boolean handlerEnded) {
      ends++;
    }
  }

  private final class FakeAvailability
      implements DeliveryGate, DatabaseAvailability, RetryThrottle {
    @Override
    public void enter(String consumer) {}

    @Override
    public void leave() {}

    @Override
    public boolean isClosed() {
      return closed;
    }

    @Override
    public boolean isSuspected() {
      return databaseIsDown;
    }

    @Override
    public long outages() {
      return outagesSoFar;
    }

    @Override
    public void failed(@Nullable Throwable cause) {
      outages.add(cause);
    }

    @Override
    public void verify(Throwable cause) {
      doubts.add(cause);
    }

    @Override
    public void answered() {}

    @Override
    public void pause() {
      holds++;
      now = now.plus(SECOND);
    }

    @Override
    public void defer(String consumer, DelayedRetry retry) {
      away.put(
          FakeIdempotencyStore.key(consumer, retry.messageId()),
          new Away(retry, now.plus(retry.delay())));
    }

    /** For a second at most. */
    @Override
    public Optional<DelayedRetry> hold(Delivery delivery) {
      String key = FakeIdempotencyStore.key(delivery.consumer(), delivery.knownId().orElse(""));
      Away absence = away.get(key);
      if (absence == null
          || (delivery.history().waitedFor() >= absence.retry().waitedFor()
              && delivery.history().waits() >= absence.retry().waits())) {
        away.remove(key);
        return Optional.empty();
      }
      holds++;
      Duration left = absence.end().minus(now);
      if (left.compareTo(SECOND) > 0) {
        now = now.plus(SECOND);
        return Optional.of(absence.left(left.minus(SECOND)));
      }
      now = now.compareTo(absence.end()) > 0 ? now : absence.end();
      away.remove(key);
      return Optional.of(absence.left(Duration.ZERO));
    }
  }
}
