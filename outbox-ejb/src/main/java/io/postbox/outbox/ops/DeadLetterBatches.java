package io.postbox.outbox.ops;

import io.postbox.common.store.AuditStore;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.common.store.LocalTransactions;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.store.DeadLetterStore;
import io.postbox.outbox.store.DeadLetterStore.DeadLetterRow;
import io.postbox.outbox.store.DeadLetterStore.Place;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Processes the letters of a plan in short transactions, one partition at a time, each under the
 * partition's row lock. Holds only a page of the letters' places in memory. Not thread-safe.
 */
final class DeadLetterBatches {
  /** How many places are read at once, of all partitions together. */
  static final int PAGE = 10_000;

  /** How many letters one transaction changes. */
  static final int BATCH = 1_000;

  private final LocalTransactions transactions;
  private final DeadLetterStore store;
  private final AuditStore audit;
  private final DeadLetterPlan plan;
  private final Entry entry;
  private final Set<Lane> lanes = new HashSet<>();
  private long done;

  DeadLetterBatches(
      LocalTransactions transactions,
      DeadLetterStore store,
      AuditStore audit,
      DeadLetterPlan plan,
      Entry entry) {
    this.transactions = transactions;
    this.store = store;
    this.audit = audit;
    this.plan = plan;
    this.entry = entry;
  }

  /**
   * Letters of one partition; the transaction holds the partition's row lock.
   *
   * @param connection the transaction's
   * @param partition its number
   * @param letters in order
   * @param now the database's time
   */
  record Batch(Connection connection, int partition, List<DeadLetterRow> letters, Instant now) {}

  /** The action on a batch. */
  interface BatchAction {
    /** Returns how many letters it changed. */
    long on(Batch batch) throws SQLException;

    /** Called after the commit. */
    default void committed() {}
  }

  /** How many letters were changed. */
  long done() {
    return done;
  }

  /** The lanes of the changed letters. */
  Set<Lane> lanes() {
    return lanes;
  }

  /**
   * Processes all letters.
   *
   * @throws OutboxException if the database failed
   */
  void forEachBatch(BatchAction step) {
    try {
      long after = 0;
      List<Place> page;
      do {
        page = page(after);
        for (Map.Entry<Integer, List<Long>> each : byPartition(page).entrySet()) {
          inPartition(each.getKey(), each.getValue(), step);
        }
        after = page.isEmpty() ? after : page.get(page.size() - 1).seq();
      } while (page.size() == PAGE);
    } catch (SQLException failed) {
      throw new OutboxException(
          "The %s stopped after %d letters (%s). These are done and audited; the others are still dead letters: make another plan for them. Reason: %s"
              .formatted(entry.action(), done, entry.subject(), OutboxLog.EXCEPTIONS.of(failed)),
          failed);
    }
  }

  private List<Place> page(long after) throws SQLException {
    return transactions.commit(
        connection -> store.candidates(connection, plan.filter(), plan.asOf(), after, PAGE));
  }

  private static SortedMap<Integer, List<Long>> byPartition(List<Place> page) {
    SortedMap<Integer, List<Long>> seqs = new TreeMap<>();
    for (Place place : page) {
      seqs.computeIfAbsent(place.partition(), number -> new ArrayList<>()).add(place.seq());
    }
    return seqs;
  }

  private void inPartition(int partition, List<Long> seqs, BatchAction step) throws SQLException {
    for (int from = 0; from < seqs.size(); from += BATCH) {
      List<Long> some = seqs.subList(from, Math.min(from + BATCH, seqs.size()));
      long changed = transactions.commit(connection -> change(connection, partition, some, step));
      step.committed();
      done += changed;
    }
  }

  private long change(Connection connection, int partition, List<Long> seqs, BatchAction step)
      throws SQLException {
    Instant now = store.lock(connection, partition);
    List<DeadLetterRow> letters =
        store.letters(connection, partition, seqs, plan.filter(), plan.asOf());
    if (letters.isEmpty()) {
      return 0;
    }
    letters.forEach(letter -> lanes.add(new Lane(partition, letter.destination())));
    long changed = step.on(new Batch(connection, partition, letters, now));
    if (changed > 0) {
      audit.add(connection, entry, changed);
    }
    return changed;
  }
}
