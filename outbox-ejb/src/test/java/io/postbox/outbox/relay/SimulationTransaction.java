package io.postbox.outbox.relay;

import io.postbox.common.log.RecordedError;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.relay.SimulationTables.Held;
import io.postbox.outbox.relay.SimulationTables.Key;
import io.postbox.outbox.relay.SimulationTables.Row;
import io.postbox.outbox.relay.SimulationTables.Status;
import io.postbox.outbox.store.ClaimStore.Batch;
import io.postbox.outbox.store.ClaimStore.Failure;
import io.postbox.outbox.store.ClaimStore.HeldKey;
import io.postbox.outbox.store.MessageStore.NewMessage;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One transaction on the tables in memory: nobody else sees its changes before it commits. */
final class SimulationTransaction {
  final String by;

  /** The step at which it began. */
  final long begun;

  /** The dead letter about which an operator decides in it. */
  @Nullable UUID decided;

  final Map<Long, Optional<Row>> changes = new TreeMap<>();
  private final Map<Key, Optional<Held>> heldChanges = new HashMap<>();
  private final Map<Integer, Long> putBackChanges = new HashMap<>();
  private final Set<Long> discarded = new HashSet<>();
  private final List<Integer> locked = new ArrayList<>();
  private final SimulationTables tables;
  private Instant heardOf;
  private long writer;
  private boolean open = true;
  private Runnable onLost = () -> {};

  SimulationTransaction(SimulationTables tables, String by) {
    this.tables = tables;
    this.by = by;
    heardOf = tables.clock.instant();
    begun = tables.steps.getAsLong();
  }

  boolean isOpen() {
    return open;
  }

  boolean isSilentFor(Duration time) {
    return heardOf.plus(time).isBefore(tables.clock.instant());
  }

  private void statement(String what) throws SQLException {
    if (!open) {
      throw SimulationTables.lost(what);
    }
    heardOf = tables.clock.instant();
  }

  /** Whether the lock was free. */
  boolean lock(int partition) {
    if (tables.locks.containsKey(partition) && !tables.has(SimulationBug.CLAIM_WITHOUT_LOCK)) {
      open = false;
      return false;
    }
    write();
    tables.locks.put(partition, this);
    locked.add(partition);
    return true;
  }

  ModelClaim claimOf(int partition) {
    return new ModelClaim(partition);
  }

  private void write() {
    if (writer == 0) {
      writer = tables.beginToWrite();
    }
  }

  /** It has its number before the row has its place. */
  long insert(NewMessage prepared) {
    write();
    Row row = tables.row(prepared);
    put(row);
    return row.seq();
  }

  void put(Row row) {
    write();
    changes.put(row.seq(), Optional.of(row));
  }

  void discard(Row row) {
    discarded.add(row.seq());
    remove(row);
  }

  boolean discards(long seq) {
    return discarded.contains(seq);
  }

  void remove(Row row) {
    changes.put(row.seq(), Optional.empty());
  }

  Optional<Row> row(long seq) {
    Optional<Row> changed = changes.get(seq);
    return changed == null ? Optional.ofNullable(tables.rows.get(seq)) : changed;
  }

  Optional<UUID> head(Key key) {
    return held(key).map(Held::head);
  }

  private Optional<Held> held(Key key) {
    Optional<Held> changed = heldChanges.get(key);
    return changed == null ? Optional.ofNullable(tables.held.get(key)) : changed;
  }

  /** A key that drains is taken over. */
  void holdKey(Key key, UUID head) throws SQLException {
    if (held(key).filter(it -> it.releasedTo() == 0).isPresent()) {
      throw new SQLException("the key " + key + " is held already", "23505");
    }
    heldChanges.put(key, Optional.of(new Held(head, 0)));
  }

  /** Dead letters of a key that died together with the one that holds it wait behind it. */
  void waitAgain(Key key, Row head) {
    if (tables.has(SimulationBug.LETTERS_DO_NOT_WAIT_AGAIN)) {
      return;
    }
    visible().stream()
        .filter(row -> row.status() == Status.DEAD && row.key().equals(Optional.of(key)))
        .filter(row -> row.seq() != head.seq())
        .filter(
            row ->
                tables.has(SimulationBug.ALL_LETTERS_OF_A_KEY_WAIT_AGAIN)
                    || (row.seq() > head.seq() && !row.dueAt().isBefore(head.dueAt())))
        .forEach(row -> put(row.with(Status.HELD)));
  }

  /** Puts a key's followers back to work, or the first slice of them. */
  void release(Key key) {
    List<Row> followers =
        visible().stream()
            .filter(row -> row.status() == Status.HELD && row.key().equals(Optional.of(key)))
            .limit(tables.slice)
            .toList();
    followers.forEach(row -> put(row.with(Status.PENDING)));
    Optional<Row> last =
        followers.size() < tables.slice
            ? Optional.empty()
            : Optional.of(followers.get(followers.size() - 1));
    heldChanges.put(key, last.map(row -> new Held(row.envelope().id(), row.seq())));
  }

  /** Whether a key is left that drains. */
  boolean drains() {
    return heldChanges.values().stream()
        .flatMap(Optional::stream)
        .anyMatch(it -> it.releasedTo() > 0);
  }

  void notePutBack(int partition) {
    if (!tables.has(SimulationBug.RELEASE_WITHOUT_PUT_BACK)) {
      putBackChanges.merge(partition, 1L, Long::sum);
    }
  }

  /** All rows that this transaction sees, in order. */
  Collection<Row> visible() {
    if (changes.isEmpty()) {
      return List.copyOf(tables.rows.values());
    }
    TreeMap<Long, Row> all = new TreeMap<>(tables.rows);
    changes.forEach(
        (seq, row) -> row.ifPresentOrElse(it -> all.put(seq, it), () -> all.remove(seq)));
    return all.values();
  }

  /** All keys that this transaction sees held. */
  Map<Key, Held> visibleHeld() {
    Map<Key, Held> all = new HashMap<>(tables.held);
    heldChanges.forEach(
        (key, head) -> head.ifPresentOrElse(it -> all.put(key, it), () -> all.remove(key)));
    return all;
  }

  void commit() {
    commitAndGoOn();
    rollback();
  }

  /** As if two transactions held the lock, one after the other. */
  void commitAndGoOn() {
    tables.committing(this);
    changes.forEach(
        (seq, row) ->
            row.ifPresentOrElse(it -> tables.rows.put(seq, it), () -> tables.rows.remove(seq)));
    heldChanges.forEach(
        (key, head) ->
            head.ifPresentOrElse(it -> tables.held.put(key, it), () -> tables.held.remove(key)));
    putBackChanges.forEach((partition, more) -> tables.putBack.merge(partition, more, Long::sum));
    changes.clear();
    heldChanges.clear();
    putBackChanges.clear();
  }

  /** Sets the reaction to an end by the database. */
  void onLost(Runnable what) {
    onLost = what;
  }

  /** The database ends it. */
  void lose() {
    rollback();
    onLost.run();
  }

  void rollback() {
    open = false;
    tables.endWriting(writer);
    locked.forEach(partition -> tables.locks.remove(partition, this));
    locked.clear();
  }

  /** The claim that this transaction is. */
  final class ModelClaim implements PartitionClaims.Claim {
    private final int partition;
    private final long putBack;

    private ModelClaim(int partition) {
      this.partition = partition;
      putBack = tables.putBack.getOrDefault(partition, 0L);
    }

    SimulationTransaction transaction() {
      return SimulationTransaction.this;
    }

    @Override
    public long putBack() {
      return putBack;
    }

    @Override
    public Batch read(String destination, long after, int limit) throws SQLException {
      statement("read");
      Lane lane = new Lane(partition, destination);
      Collection<Row> rows = visible();
      if (tables.has(SimulationBug.READ_IN_ANOTHER_ORDER)) {
        rows = rows.stream().sorted(Comparator.comparing(it -> it.envelope().id())).toList();
      }
      return tables.read(rows, visibleHeld(), lane, after, limit, writer);
    }

    @Override
    public void hold(String destination, Collection<Long> seqs) throws SQLException {
      for (long seq : seqs) {
        put(pending(destination, seq, "hold").with(Status.HELD));
      }
    }

    @Override
    public void keepHashes(Map<Long, byte[]> hashes) {
      throw new UnsupportedOperationException("the model has no references");
    }

    @Override
    public void complete(
        String destination, BatchSettlement settlement, Map<RecordedError, String> texts)
        throws SQLException {
      for (long seq : settlement.sent()) {
        remove(pending(destination, seq, "complete"));
      }
      for (Failure failure : settlement.failures()) {
        Row row = pending(failure.seq(), "count the attempts of");
        Instant due = tables.clock.instant().plus(failure.backoff());
        Status status = failure.dead() ? Status.DEAD : Status.DELAYED;
        put(row.with(status, row.attempts() + failure.counts(), due));
      }
      for (HeldKey key : settlement.hold()) {
        holdKey(key(key), key.headId());
      }
      settlement.release().forEach(key -> release(key(key)));
      if (!settlement.release().isEmpty()) {
        notePutBack(partition);
      }
    }

    private Key key(HeldKey key) {
      return new Key(partition, key.destination(), key.orderingKey());
    }

    private Row pending(String destination, long seq, String verb) throws SQLException {
      Row row = pending(seq, verb);
      if (!row.envelope().destination().equals(destination)) {
        throw new IllegalStateException("Broken invariant: " + verb + " " + seq + " elsewhere");
      }
      return row;
    }

    private Row pending(long seq, String verb) throws SQLException {
      statement(verb);
      return row(seq)
          .filter(row -> row.status() == Status.PENDING && row.partition() == partition)
          .orElseThrow(() -> new IllegalStateException("Broken invariant: " + verb + " " + seq));
    }

    @Override
    public void commit() throws SQLException {
      statement("commit");
      SimulationTransaction.this.commit();
    }

    @Override
    public void close() {
      if (open) {
        rollback();
      }
    }
  }
}
