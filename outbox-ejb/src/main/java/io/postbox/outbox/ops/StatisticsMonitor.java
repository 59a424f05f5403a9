package io.postbox.outbox.ops;

import io.postbox.common.ops.CountPace;
import io.postbox.common.ops.SharedCount;
import io.postbox.common.store.CountTable.LastCount;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.OutboxStatistics.DestinationStatistics;
import io.postbox.outbox.config.OutboxConfig.Backlog;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.log.WatchLog;
import io.postbox.outbox.store.StatisticsStore;
import io.postbox.outbox.store.StatisticsStore.Line;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Holds the last count of the table for metrics, health and limits. The node that first finds a
 * count due counts for all; the others read its result: one statement per interval, independent of
 * the number of readers. Thread-safe.
 */
public final class StatisticsMonitor {
  private final SharedCount<Line> count;
  private final BacklogMonitor backlog;
  private final CountPace rateLimit;
  private volatile Snapshot last = Snapshot.NOTHING;
  private volatile @Nullable String failing;

  /**
   * @param dataSource where the tables are
   * @param store counts
   * @param limits compares the backlog with its limits
   * @param clock the node's clock, which never goes back
   */
  public StatisticsMonitor(
      DataSource dataSource, StatisticsStore store, Backlog limits, InstantSource clock) {
    count = new SharedCount<>(dataSource, store, clock);
    backlog = new BacklogMonitor(limits, clock);
    rateLimit = new CountPace(clock);
  }

  /**
   * Reads the last count if that is due, and starts a new one if no node has counted lately;
   * returns at once, because a count of many rows takes long.
   *
   * @param executor runs the count
   */
  public void countIfDue(Executor executor) {
    backlog.refreshed();
    if (!rateLimit.begin()) {
      return;
    }
    try {
      executor.execute(this::count);
    } catch (RuntimeException | Error refused) { // the executor is full, or there is no thread
      rateLimit.ended();
      failed(refused);
    }
  }

  private void count() {
    try {
      LastCount<Line> found = read();
      if (found.isDue() && count.countForAll()) {
        found = read();
      }
      if (failing != null && !found.isDue()) { // this node or another has counted
        failing = null;
        WatchLog.countWorks();
      }
    } catch (SQLException | RuntimeException | Error failed) {
      failed(failed);
    } finally {
      rateLimit.ended();
    }
  }

  private LastCount<Line> read() throws SQLException {
    LastCount<Line> found = count.read();
    Snapshot counted = Snapshot.of(found.lines());
    last = counted;
    backlog.counted(counted, found.age(), found.interval());
    return found;
  }

  private void failed(Throwable reason) {
    if (failing == null) { // once, not every five seconds
      OutboxLog.countFailed(reason);
    }
    failing = OutboxLog.reason(reason);
  }

  /** Compares the backlog with the limits. */
  public BacklogMonitor backlog() {
    return backlog;
  }

  /** Why the numbers are old, if the table cannot be counted, and the consequence. */
  public Optional<String> uncounted() {
    return Optional.ofNullable(failing)
        .map(
            reason ->
                "the table cannot be counted, so gauges keep their last values, and the backlog's"
                    + " limits neither warn nor refuse once the last count is too old: "
                    + reason);
  }

  /** The last count. */
  public Snapshot last() {
    return last;
  }

  /**
   * What a node has last kept as the course of the numbers.
   *
   * @throws OutboxException if the table cannot be read
   */
  public Optional<String> history() {
    try {
      return count.history();
    } catch (SQLException failed) {
      throw OutboxLog.failure("The history cannot be read", failed);
    }
  }

  /**
   * Keeps the course of the numbers, for all nodes.
   *
   * @throws OutboxException if it is not kept
   */
  public void keepHistory(String history) {
    try {
      count.keepHistory(history);
    } catch (SQLException failed) {
      throw OutboxLog.failure("The history cannot be kept", failed);
    }
  }

  /**
   * Counts now.
   *
   * @throws OutboxException if the table cannot be read
   */
  public List<DestinationStatistics> countNow() {
    try {
      return List.copyOf(Snapshot.of(count.now()).byDestination().values());
    } catch (SQLException failed) {
      throw OutboxLog.failure("The outbox cannot be counted", failed);
    }
  }
}
