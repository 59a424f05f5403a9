package io.postbox.outbox.ops;

import io.postbox.common.ops.LoggedOnce;
import io.postbox.common.ops.SharedCount;
import io.postbox.outbox.config.OutboxConfig.Backlog;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.log.WatchLog;
import io.postbox.outbox.store.StatisticsStore;
import io.postbox.outbox.store.StatisticsStore.Line;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import javax.sql.DataSource;

/**
 * The count of the table, and what it says of the backlog. Thread-safe.
 *
 * @param count for metrics, health and limits
 * @param backlog compares the backlog with the limits
 */
public record StatisticsMonitor(SharedCount<Line, Snapshot> count, BacklogMonitor backlog) {

  /**
   * @param dataSource where the tables are
   * @param store counts
   * @param limits compares the backlog with its limits
   * @param clock the node's clock, which never goes back
   */
  public StatisticsMonitor(
      DataSource dataSource, StatisticsStore store, Backlog limits, InstantSource clock) {
    this(
        new SharedCount<>(
            dataSource,
            store,
            clock,
            Snapshot::of,
            OutboxLog::failure,
            "The outbox cannot be counted",
            new LoggedOnce(OutboxLog::countFailed, WatchLog::countWorks)),
        new BacklogMonitor(limits, clock));
  }

  /**
   * Reads the last count if that is due, and starts a new one if no node has counted lately;
   * returns at once.
   *
   * @param executor runs the count
   */
  public void countIfDue(Executor executor) {
    backlog.refreshed();
    count.lookIfDue(
        executor, (counted, found) -> backlog.counted(counted, found.age(), found.interval()));
  }

  /** Whether the table cannot be counted, so that the numbers are old. */
  public boolean isUncounted() {
    return count.problem().isPresent();
  }
}
