package io.postbox.inbox.receiver;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.DelayedRetry;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Failure.Kind;
import io.postbox.inbox.message.Failures;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.Quarantined;
import io.postbox.inbox.message.Standing;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.message.TestDelivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Tables in memory, which forget what is rolled back, and count how often they are asked. */
final class FakeIdempotencyStore implements IdempotencyStore {
  Map<String, Fingerprint> remembered = new HashMap<>();
  Map<String, Outcome> outcomes = new HashMap<>();
  List<Quarantined> quarantined = new ArrayList<>();
  List<Parked> parked = new ArrayList<>();
  Map<String, Long> versions = new HashMap<>();
  private final Map<String, Long> firsts = new HashMap<>();
  Set<String> awaited = new HashSet<>();

  /** What has its turn, or will have it: only what becomes of the message ends that. */
  Map<Long, Back> handedBack = new HashMap<>();

  private final Map<String, Long> rows;
  private final Map<Long, Integer> generations;

  /** A fault that the simulation has to find. */
  enum Bug {
    NONE,
    /** Whoever sends a copy deletes the row, as if that were the message. */
    SENDER_DELETES,
    /** Any copy of a row is handled. */
    GENERATION_UNCHECKED,
    /** A copy is handled although its row is gone, or is kept aside again. */
    COPY_WITHOUT_ROW,
    /** A copy that does not come is not sent again. */
    ROW_WITHOUT_COPY
  }

  Bug bug = Bug.NONE;

  Map<String, KeptAnswer> results = new HashMap<>();
  Map<String, Boolean> captured = new HashMap<>();
  private final Map<String, Fingerprint> capturedAs = new HashMap<>();

  /** Versions that a person discarded, outside of deliveries' transactions. */
  final Set<String> discarded = new HashSet<>();

  /** Written outside of deliveries' transactions, so never rolled back. */
  final Map<String, Failures> failures = new HashMap<>();

  /** How long ago, by the database's clock, every failure will have been when it is read. */
  Duration sinceLast = Duration.ZERO;

  /** The time, if failures age by it. */
  @Nullable Supplier<Duration> clock;

  private final Map<String, Duration> failedAt = new HashMap<>();

  /** Why ids have no place. */
  final Map<String, QuarantineReason> refused = new HashMap<>();

  /** As if no key service or no space were there. */
  boolean keepsNothing;

  /** How many claims find that another transaction has the row. */
  int locked;

  int statements;

  /** Of every insert. */
  @Nullable InboxException fails;

  private Runnable rollback = () -> {};

  FakeIdempotencyStore() {
    rows = new HashMap<>();
    generations = new HashMap<>();
  }

  /** As a transaction sees it that runs beside others. */
  FakeIdempotencyStore(FakeIdempotencyStore all) {
    rows = all.rows;
    generations = all.generations;
    remembered.putAll(all.remembered);
    parked.addAll(all.parked);
    handedBack.putAll(all.handedBack);
  }

  void begin() {
    Map<String, Fingerprint> rememberedBefore = new HashMap<>(remembered);
    Map<String, Outcome> outcomesBefore = new HashMap<>(outcomes);
    List<Quarantined> quarantinedBefore = new ArrayList<>(quarantined);
    List<Parked> parkedBefore = new ArrayList<>(parked);
    Map<String, Long> versionsBefore = new HashMap<>(versions);
    Set<String> awaitedBefore = new HashSet<>(awaited);
    Map<Long, Back> backBefore = new HashMap<>(handedBack);
    Map<String, KeptAnswer> resultsBefore = new HashMap<>(results);
    Map<String, Boolean> capturedBefore = new HashMap<>(captured);
    rollback =
        () -> {
          remembered = rememberedBefore;
          outcomes = outcomesBefore;
          quarantined = quarantinedBefore;
          parked = parkedBefore;
          versions = versionsBefore;
          awaited = awaitedBefore;
          handedBack = backBefore;
          results = resultsBefore;
          captured = capturedBefore;
        };
  }

  /**
   * A message on its way back.
   *
   * @param retry what it waits for, before it is handed back
   */
  record Back(int generation, Parked message, @Nullable DelayedRetry retry) {}

  /** As a person does, and the handler of an earlier version. */
  void handBack(Parked message) {
    String key = key(message.delivery().consumer(), message.messageId());
    long row = row(key);
    handedBack.put(row, new Back(generations.merge(row, 1, Integer::sum), message, null));
  }

  /** A retry has its turn. */
  Back handBack(long row, Back delayed) {
    Back next = new Back(generations.merge(row, 1, Integer::sum), delayed.message(), null);
    handedBack.put(row, next);
    return next;
  }

  private boolean isIn(Delivery delivery, @Nullable StoredRow row) {
    Back back = row == null ? null : handedBack.get(row.id());
    return row != null
        && back != null
        && (bug == Bug.GENERATION_UNCHECKED || back.generation() == row.generation())
        && back.retry() == null
        && back.message().delivery().consumer().equals(delivery.consumer());
  }

  @Override
  public Claim claim(Delivery delivery) {
    statements++;
    if (locked > 0) {
      locked--;
      return Claim.NONE;
    }
    return bug == Bug.COPY_WITHOUT_ROW || isIn(delivery, delivery.stored())
        ? Claim.OWN
        : Claim.NONE;
  }

  @Override
  public void delete(Delivery delivery) {
    statements++;
    leave(delivery);
  }

  private void leave(Delivery delivery) {
    StoredRow row = delivery.stored();
    if (row != null && handedBack.remove(row.id()) == null && bug == Bug.NONE) {
      throw new IllegalStateException("another has changed a row that was claimed");
    }
  }

  @Override
  public Optional<Fingerprint> delay(Delivery delivery, DelayedRetry retry, boolean mayReply) {
    statements++;
    StoredRow stored = delivery.stored();
    if (stored != null) {
      Back back = Objects.requireNonNull(handedBack.get(stored.id()));
      handedBack.put(stored.id(), new Back(back.generation(), back.message(), retry));
      return Optional.empty();
    }
    read(delivery);
    if (fails != null) {
      throw fails;
    }
    long row = row(key(delivery.consumer(), retry.messageId()));
    Optional<Fingerprint> there = there(delivery, retry.messageId());
    if (there.isEmpty()) {
      Parked message = new Parked(delivery, retry.messageId(), ParkReason.EARLY, "", "", 0);
      handedBack.put(row, new Back(generations.getOrDefault(row, 0), message, retry));
    }
    return there;
  }

  private long row(String key) {
    return rows.computeIfAbsent(key, unknown -> rows.size() + 1L);
  }

  /** The stored message with an id. */
  private Optional<Fingerprint> there(Delivery delivery, String messageId) {
    Back back = handedBack.get(row(key(delivery.consumer(), messageId)));
    return back != null
        ? Optional.of(back.message().delivery().fingerprint())
        : parked.stream()
            .filter(it -> it.messageId().equals(messageId))
            .filter(it -> it.delivery().consumer().equals(delivery.consumer()))
            .map(it -> it.delivery().fingerprint())
            .findAny();
  }

  void rollBack() {
    rollback.run();
  }

  void write(Failure failure) {
    if (clock != null) {
      failedAt.put(key(failure.consumer(), failure.messageId()), clock.get());
    }
    failures.merge(
        key(failure.consumer(), failure.messageId()),
        with(Failures.NONE, failure),
        (before, ignored) -> with(before, failure));
  }

  private Failures with(Failures before, Failure one) {
    return new Failures(
        Math.max(before.total(), one.waitedFor()) + 1,
        before.counted() + (one.kind() == Kind.FAILED ? 1 : 0),
        before.transients() + (one.kind() == Kind.TRANSIENT ? 1 : 0),
        before.rejected() ? before.last() : one.reason(),
        before.rejected() ? before.signature() : one.error().signature(),
        one.pause(),
        before.rejected() || one.kind() == Kind.REJECTED,
        sinceLast);
  }

  /** As a person does. */
  void discard(String consumer, String messageId, Aggregate aggregate) {
    String key = key(consumer, messageId);
    remembered.put(key, TestDelivery.of(messageId).delivery().fingerprint());
    outcomes.put(key, Outcome.DISCARDED);
    discarded.add(version(consumer, aggregate, aggregate.version()));
  }

  private static String version(String consumer, Aggregate aggregate, long version) {
    return key(consumer, aggregate.type() + "/" + aggregate.id()) + "@" + version;
  }

  static String key(String consumer, String messageId) {
    return consumer + "/" + messageId;
  }

  @Override
  public Optional<QuarantineReason> refusalOf(String consumer, String messageId) {
    return Optional.ofNullable(refused.get(messageId));
  }

  @Override
  public boolean insertIfAbsent(Delivery delivery, String messageId, Outcome outcome) {
    statements++;
    if (fails != null) {
      throw fails;
    }
    String key = key(delivery.consumer(), messageId);
    if (remembered.putIfAbsent(key, delivery.fingerprint()) != null) {
      return false;
    }
    outcomes.put(key, outcome);
    return true;
  }

  @Override
  public Optional<Fingerprint> fingerprintOf(String consumer, String messageId) {
    statements++;
    return Optional.ofNullable(remembered.get(key(consumer, messageId)));
  }

  @Override
  public Failures failuresOf(String consumer, String messageId) {
    statements++;
    String key = key(consumer, messageId);
    Failures known = failures.getOrDefault(key, Failures.NONE);
    return clock == null || known == Failures.NONE
        ? known
        : new Failures(
            known.total(),
            known.counted(),
            known.transients(),
            known.last(),
            known.signature(),
            known.lastPause(),
            known.rejected(),
            clock.get().minus(failedAt.getOrDefault(key, clock.get())));
  }

  @Override
  public boolean quarantine(Quarantined delivery) {
    statements++;
    if (delivery.delivery().stored() == null) {
      read(delivery.delivery());
    }
    boolean isNew =
        delivery.messageId() == null
            || quarantined.stream()
                .noneMatch(
                    it ->
                        delivery.messageId().equals(it.messageId())
                            && it.delivery().consumer().equals(delivery.delivery().consumer())
                            && it.delivery()
                                .fingerprint()
                                .equals(delivery.delivery().fingerprint()));
    leave(delivery.delivery());
    if (isNew) {
      quarantined.add(delivery);
    }
    return isNew;
  }

  @Override
  public Optional<Fingerprint> park(Parked message, boolean mayReply) {
    statements++;
    if (message.delivery().stored() == null) {
      read(message.delivery());
    }
    leave(message.delivery());
    Optional<Fingerprint> there = there(message.delivery(), message.messageId());
    if (there.isEmpty()) {
      parked.add(message);
    }
    return there;
  }

  private void read(Delivery delivery) {
    if (keepsNothing || !delivery.canBeKept()) {
      throw new InboxException("its content cannot be read", null);
    }
  }

  @Override
  public Standing lockVersion(String consumer, Aggregate aggregate, long first) {
    statements++;
    String key = key(consumer, aggregate.type() + "/" + aggregate.id());
    boolean isNew = versions.putIfAbsent(key, first - 1) == null;
    if (isNew) {
      firsts.put(key, first);
    }
    return new Standing(
        firsts.getOrDefault(key, 0L), versions.get(key), isNew, awaited.contains(key));
  }

  @Override
  public void forgetPlace(String consumer, Aggregate aggregate) {
    statements++;
    versions.remove(key(consumer, aggregate.type() + "/" + aggregate.id()));
  }

  @Override
  public boolean allDiscarded(String consumer, Aggregate aggregate, long last) {
    statements++;
    return LongStream.range(last + 1, aggregate.version())
        .allMatch(version -> discarded.contains(version(consumer, aggregate, version)));
  }

  @Override
  public boolean isDiscarded(String consumer, Aggregate aggregate) {
    statements++;
    return discarded.contains(version(consumer, aggregate, aggregate.version()));
  }

  @Override
  public void moveOn(String consumer, Aggregate aggregate) {
    statements++;
    versions.put(key(consumer, aggregate.type() + "/" + aggregate.id()), aggregate.version());
  }

  @Override
  public boolean moveOnAndRelease(String consumer, Aggregate aggregate) {
    moveOn(consumer, aggregate);
    List<Parked> waiting =
        parked.stream()
            .filter(it -> it.reason().isWaiting() && it.delivery().consumer().equals(consumer))
            .filter(it -> isOf(aggregate, it))
            .sorted(Comparator.comparing(FakeIdempotencyStore::version))
            .toList();
    List<Parked> next =
        waiting.stream()
            .filter(it -> version(it) == version(waiting.get(0)))
            .filter(it -> allDiscarded(consumer, aggregateOf(it), aggregate.version()))
            .toList();
    parked.removeAll(next);
    next.forEach(this::handBack);
    if (next.size() == waiting.size()) {
      awaited.remove(key(consumer, aggregate.type() + "/" + aggregate.id()));
    }
    return !next.isEmpty();
  }

  private static boolean isOf(Aggregate aggregate, Parked message) {
    Aggregate other = aggregateOf(message);
    return other.type().equals(aggregate.type()) && other.id().equals(aggregate.id());
  }

  private static Aggregate aggregateOf(Parked message) {
    return Objects.requireNonNull(message.delivery().aggregate());
  }

  private static long version(Parked message) {
    return aggregateOf(message).version();
  }

  @Override
  public void await(String consumer, Aggregate aggregate) {
    statements++;
    awaited.add(key(consumer, aggregate.type() + "/" + aggregate.id()));
  }

  @Override
  public Optional<Fingerprint> fingerprintOfWaiting(String consumer, String messageId) {
    statements++;
    return parked.stream()
        .filter(it -> it.reason().isWaiting() && it.messageId().equals(messageId))
        .filter(it -> it.delivery().consumer().equals(consumer))
        .map(it -> it.delivery().fingerprint())
        .findAny();
  }

  @Override
  public void keepResult(
      String consumer, String messageId, String result, @Nullable String replyTo) {
    statements++;
    results.put(key(consumer, messageId), new KeptAnswer(result, replyTo));
  }

  @Override
  public Optional<KeptAnswer> resultOf(String consumer, String messageId) {
    statements++;
    return Optional.ofNullable(results.get(key(consumer, messageId)));
  }

  @Override
  public Optional<Fingerprint> capture(Delivery delivery, String messageId, boolean mayReply) {
    statements++;
    read(delivery);
    String key = key(delivery.consumer(), messageId);
    if (captured.putIfAbsent(key, mayReply) != null) {
      return Optional.of(capturedAs.get(key));
    }
    capturedAs.put(key, delivery.fingerprint());
    return Optional.empty();
  }
}
