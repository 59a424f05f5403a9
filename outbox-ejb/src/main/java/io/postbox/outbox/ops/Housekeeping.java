package io.postbox.outbox.ops;

import io.postbox.common.config.Durations;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.time.ClockStep;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.store.ArchiveTables;
import io.postbox.outbox.store.RetentionStore;
import io.postbox.outbox.store.RetentionStore.Kept;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Deletes rows past their retention, and brings retries nearer that wait for longer than any
 * backoff, as after a step of the database's clock: a few at a time, and on one node at a time. A
 * deletion may wait for somebody's lock on a table, so none runs on the thread that asks whether
 * one is due. Called by one thread.
 */
public final class Housekeeping {
  /** How many rows one transaction deletes. */
  static final int BATCH = 1_000;

  private static final String ROWS_STAY = "rows past their retention stay";

  private static final int BATCHES_AT_ONCE = 20;
  private static final Duration LONGEST = Duration.ofMillis(200);
  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final Duration PAUSE_WITH_MORE_TO_DO = Duration.ofSeconds(1);

  private final LocalTransactions transactions;
  private final RetentionStore store;
  private final ArchiveTables archive;
  private final Duration age;
  private final Duration longestBackoff;
  private final InstantSource clock;
  private final ClockStep step = new ClockStep();
  private volatile Instant next;
  private volatile boolean running;

  /**
   * @param clock the node's clock, only for pauses
   */
  public Housekeeping(OutboxTables tables, InstantSource clock) {
    OutboxConfig config = tables.config();
    transactions = new LocalTransactions(tables.dataSource());
    store = new RetentionStore(tables.dialect(), config.tables());
    archive = new ArchiveTables(config.tables(), config.retention().archivePartitions());
    age = config.retention().age();
    longestBackoff = config.longestBackoff();
    this.clock = clock;
    next = clock.instant();
  }

  /** Deletes some rows, if that is due and none are being deleted. Returns at once. */
  public void runIfDue(Executor executor) {
    Instant now = clock.instant();
    if (running || now.isBefore(next)) {
      return;
    }
    running = true;
    next = now.plus(PAUSE);
    try {
      executor.execute(this::run);
    } catch (RuntimeException | Error refused) { // the executor is full, or there is no thread
      running = false;
      OutboxLog.housekeepingFailed(ROWS_STAY, refused);
    }
  }

  private void run() {
    try {
      hastenRetries();
      Instant now = clock.instant();
      if (archive.isWanted()) {
        turnOverArchive();
      }
      if (deleteSome(now.plus(LONGEST))) {
        next = clock.instant().plus(PAUSE_WITH_MORE_TO_DO);
      }
    } catch (SQLException | RuntimeException | Error failed) {
      OutboxLog.housekeepingFailed(ROWS_STAY, failed);
    } finally {
      running = false;
    }
  }

  /**
   * Retries that were set before the database's clock was set back would wait for the length of
   * that step, too. A failure keeps nothing else from running.
   */
  private void hastenRetries() {
    Instant now = clock.instant();
    int changed = 0;
    try {
      for (int i = 0; i < BATCHES_AT_ONCE; i++) {
        int some = transactions.once(connection -> hastenSome(connection, now));
        changed += some;
        if (some < BATCH) {
          break;
        }
      }
    } catch (SQLException | RuntimeException failed) {
      OutboxLog.housekeepingFailed("retries that wait for longer than any backoff wait on", failed);
    }
    if (changed > 0) {
      OutboxLog.retriesHastened(changed);
    }
  }

  private int hastenSome(Connection connection, Instant now) throws SQLException {
    Optional<Instant> read = store.lock(connection);
    if (read.isEmpty()) {
      return 0;
    }
    int changed = 0;
    if (step.mayHaveHappened(read.get(), now)) {
      Duration longest = Durations.longer(longestBackoff, store.longestBackoff(connection));
      changed = store.hasten(connection, read.get(), longest, BATCH);
    }
    if (changed < BATCH) {
      step.dealtWith(read.get(), now);
    }
    return changed;
  }

  private void turnOverArchive() throws SQLException {
    transactions.once(
        connection -> store.lock(connection).isPresent() ? archive.make(connection) : 0);
    for (int i = 0; i < BATCHES_AT_ONCE; i++) {
      boolean dropped =
          transactions.once(
              connection -> {
                Optional<Instant> now = store.lock(connection);
                return now.isPresent() && archive.drop(connection, now.get().minus(age));
              });
      if (!dropped) {
        return;
      }
    }
  }

  /** Deletes some rows, and returns whether there may be more. */
  private boolean deleteSome(Instant end) throws SQLException {
    int batches = 0;
    for (Kept kept : Kept.values()) {
      if (kept == Kept.ARCHIVE && archive.isWanted()) {
        continue; // its partitions are dropped instead
      }
      while (deleteBatch(kept) == BATCH) {
        if (++batches == BATCHES_AT_ONCE || clock.instant().isAfter(end)) {
          return true;
        }
      }
    }
    return false;
  }

  private int deleteBatch(Kept kept) throws SQLException {
    Duration longest = kept == Kept.AUDIT ? AuditStore.kept(age) : age;
    return transactions.once(
        connection -> {
          Optional<Instant> now = store.lock(connection);
          return now.isPresent()
              ? store.delete(connection, kept, now.get().minus(longest), BATCH)
              : 0;
        });
  }
}
