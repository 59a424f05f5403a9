package io.postbox.outbox.relay;

import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.ClaimStore.Batch;
import io.postbox.outbox.store.ClaimStore.Writers;
import io.postbox.outbox.store.MessageStore.NewMessage;
import io.postbox.outbox.store.PollStore.Poll;
import io.postbox.outbox.store.PollStore.Woken;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tables in memory, as a database at READ COMMITTED has them: a query sees what was committed
 * until then, and within a transaction its own changes. A contract test compares it with real
 * databases. Not thread-safe.
 */
final class SimulationTables implements PartitionClaims {
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);

  final int partitions;

  /** How many followers go back to work at once. */
  final int slice;

  final InstantSource clock;
  final Set<String> paused = new HashSet<>();

  /** The references whose first load is written down. */
  final Set<Long> loaded = new HashSet<>();

  final NavigableMap<Long, Row> rows = new TreeMap<>();
  final Map<Key, Held> held = new HashMap<>();
  final Map<Integer, Long> putBack = new HashMap<>();
  final Map<Integer, SimulationTransaction> locks = new HashMap<>();
  private final Watcher watcher;
  private final Set<SimulationBug> bugs;
  private final NavigableSet<Long> writing = new TreeSet<>();

  /** The number of the present step, by which a transaction knows what was before it. */
  LongSupplier steps = () -> 0;

  private long lastWriter;
  private long lastEnded;
  private long lastSeq;

  /** The values of the column of that name. */
  enum Status {
    PENDING,
    HELD,
    DELAYED,
    DEAD
  }

  /** A message's row. */
  record Row(
      long seq,
      int partition,
      Envelope envelope,
      Status status,
      int attempts,
      Instant createdAt,
      Instant dueAt,
      @Nullable Instant expiresAt) {

    Row with(Status other, int otherAttempts, Instant otherDueAt) {
      return new Row(
          seq, partition, envelope, other, otherAttempts, createdAt, otherDueAt, expiresAt);
    }

    Row withoutLimit() {
      return new Row(seq, partition, envelope, status, attempts, createdAt, dueAt, null);
    }

    Row with(Status other) {
      return with(other, attempts, dueAt);
    }

    Lane lane() {
      return new Lane(partition, envelope.destination());
    }

    Optional<Key> key() {
      return Optional.ofNullable(envelope.orderingKey())
          .map(it -> new Key(partition, envelope.destination(), it));
    }
  }

  /** The primary key of a held key. */
  record Key(int partition, String destination, String orderingKey) {}

  /** How a key is held; while it drains, what is in front of its head may go. */
  record Held(UUID head, long releasedTo) {}

  /** Hears of every commit, before it counts. */
  interface Watcher {
    void committing(SimulationTransaction transaction);
  }

  SimulationTables(
      int partitions, int slice, InstantSource clock, Set<SimulationBug> bugs, Watcher watcher) {
    this.partitions = partitions;
    this.slice = slice;
    this.clock = clock;
    this.bugs = bugs;
    this.watcher = watcher;
  }

  boolean has(SimulationBug bug) {
    return bugs.contains(bug);
  }

  void committing(SimulationTransaction transaction) {
    watcher.committing(transaction);
  }

  /** A transaction of its own connection. */
  SimulationTransaction begin(String by) {
    return new SimulationTransaction(this, by);
  }

  /** A transaction gets its number with its first change. */
  long beginToWrite() {
    writing.add(++lastWriter);
    return lastWriter;
  }

  void endWriting(long writer) {
    if (writing.remove(writer)) {
      lastEnded = Math.max(lastEnded, writer);
    }
  }

  /** As PostgreSQL has them. */
  private Writers writers(long own) {
    return new Writers(writing.isEmpty() ? lastEnded + 1 : writing.first(), own);
  }

  /** A place in the order is taken at once, whatever becomes of the transaction. */
  Row row(NewMessage prepared) {
    Instant now = clock.instant();
    Instant moment = prepared.notBefore();
    Instant notBefore = moment != null && moment.isAfter(now) ? moment : null;
    Duration expiresAfter = prepared.expiresAfter();
    return new Row(
        ++lastSeq,
        prepared.partition(),
        prepared.envelope(),
        notBefore == null ? Status.PENDING : Status.DELAYED,
        0,
        now,
        notBefore == null ? now : notBefore,
        expiresAfter == null ? null : now.plus(expiresAfter));
  }

  @Override
  public Optional<Claim> claim(int partition) {
    return claim(partition, "relay").map(it -> it);
  }

  Optional<SimulationTransaction.ModelClaim> claim(int partition, String by) {
    SimulationTransaction holder = locks.get(partition);
    if (holder != null && holder.isSilentFor(LONGEST_SILENCE)) {
      holder.lose();
    }
    SimulationTransaction transaction = begin(by);
    return transaction.lock(partition)
        ? Optional.of(transaction.claimOf(partition))
        : Optional.empty();
  }

  @Override
  public Poll poll() {
    Set<Lane> lanes = new LinkedHashSet<>();
    rows.values().stream()
        .filter(row -> row.status() == Status.PENDING)
        .map(Row::lane)
        .filter(lane -> !isPaused(lane.destination()))
        .sorted(Comparator.comparing(Lane::partition).thenComparing(Lane::destination))
        .forEach(lanes::add);
    return new Poll(List.copyOf(lanes), nextDue(clock.instant()), paused);
  }

  @Override
  public Woken wakeDelayed() {
    SimulationTransaction transaction = begin("wakeDelayed");
    Instant now = clock.instant();
    List<Row> due =
        rows.values().stream()
            .filter(row -> row.status() == Status.DELAYED && !row.dueAt().isAfter(now))
            .toList();
    due.forEach(row -> transaction.put(row.with(Status.PENDING)));
    transaction.commit();
    Set<Lane> lanes = due.stream().map(Row::lane).collect(Collectors.toSet());
    return new Woken(lanes, nextDue(clock.instant()));
  }

  private Optional<Duration> nextDue(Instant now) {
    return has(SimulationBug.NEXT_DUE_UNTOLD) ? Optional.empty() : untilFirstDelayed(now);
  }

  /** How long until the first delayed message is due; negative if it is overdue. */
  Optional<Duration> untilFirstDelayed(Instant now) {
    return rows.values().stream()
        .filter(row -> row.status() == Status.DELAYED)
        .map(Row::dueAt)
        .min(Instant::compareTo)
        .map(due -> Duration.between(now, due));
  }

  @Override
  public OptionalLong first(Lane lane) {
    return rows.values().stream()
        .filter(row -> row.status() == Status.PENDING && row.lane().equals(lane))
        .mapToLong(Row::seq)
        .min();
  }

  @Override
  public String holderQuery(int partition) {
    return "nobody runs a query here";
  }

  boolean isPaused(String destination) {
    return paused.contains("*") || paused.contains(destination);
  }

  /** The read of a claim, on rows in order. */
  Batch read(
      Iterable<Row> visible, Map<Key, Held> heldKeys, Lane lane, long after, int limit, long own) {
    List<StoredMessage> found = new ArrayList<>();
    if (!isPaused(lane.destination())) {
      Instant now = clock.instant();
      for (Row row : visible) {
        if (found.size() < limit
            && row.seq() > after
            && row.status() == Status.PENDING
            && row.lane().equals(lane)) {
          found.add(
              message(
                  row, row.key().map(heldKeys::get).map(it -> head(row, it)).orElse(null), now));
        }
      }
    }
    return new Batch(found, found.size() == limit, writers(own));
  }

  private @Nullable UUID head(Row row, Held held) {
    boolean drains = held.releasedTo() > 0;
    boolean letGo = has(SimulationBug.DRAINING_FORGOTTEN) ? drains : row.seq() <= held.releasedTo();
    return letGo && !row.envelope().id().equals(held.head()) ? null : held.head();
  }

  private static StoredMessage message(Row row, @Nullable UUID head, Instant now) {
    Instant expires = row.expiresAt();
    return new StoredMessage(
        row.seq(),
        row.envelope(),
        row.attempts(),
        row.createdAt(),
        Duration.between(row.createdAt(), now),
        expires == null ? null : Duration.between(now, expires),
        head);
  }

  /** A statement was refused. */
  static SQLException lost(String what) {
    return new SQLException(what + ": the connection was lost", "08006");
  }
}
