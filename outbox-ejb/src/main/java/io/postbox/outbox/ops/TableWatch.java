package io.postbox.outbox.ops;

import io.postbox.outbox.OutboxException;
import io.postbox.outbox.OutboxStatistics.DestinationStatistics;
import io.postbox.outbox.config.OutboxConfig.Backlog;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.log.WatchLog;
import io.postbox.outbox.store.StatisticsStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Counts the table now and then, and keeps the last count for metrics, health and limits: one
 * statement per interval on this node, however many ask. Thread-safe.
 */
public final class TableWatch {
  private final DataSource dataSource;
  private final StatisticsStore store;
  private final BacklogWatch backlog;
  private final CountPace pace;
  private volatile Snapshot last = Snapshot.NOTHING;
  private volatile @Nullable String failing;

  /**
   * @param dataSource where the tables are
   * @param store the statement
   * @param limits how much may wait
   * @param clock that of the node, which is never set back
   */
  public TableWatch(
      DataSource dataSource, StatisticsStore store, Backlog limits, InstantSource clock) {
    this.dataSource = dataSource;
    this.store = store;
    backlog = new BacklogWatch(limits, clock);
    pace = new CountPace(clock);
  }

  /**
   * Lets the table be counted if it is time to; returns at once, for a count of many rows takes
   * long.
   *
   * @param executor runs the count
   */
  public void countIfDue(Executor executor) {
    backlog.looked();
    if (!pace.begin()) {
      return;
    }
    try {
      executor.execute(this::count);
    } catch (RuntimeException | Error refused) { // that it is full, or that there is no thread
      pace.ended();
      failed(refused);
    }
  }

  private void count() {
    @Nullable Snapshot counted = null;
    try {
      counted = read();
      last = counted;
      if (failing != null) {
        failing = null;
        WatchLog.countWorks();
      }
    } catch (SQLException | RuntimeException | Error failed) {
      failed(failed);
    } finally {
      Duration interval = pace.ended();
      if (counted != null) {
        backlog.counted(counted.pending(), counted.oldestPending(), interval);
      }
    }
  }

  private void failed(Throwable reason) {
    if (failing == null) { // once, and not every five seconds
      OutboxLog.countFailed(reason);
    }
    failing = OutboxLog.reason(reason);
  }

  /** What waits, held against the limits. */
  public BacklogWatch backlog() {
    return backlog;
  }

  /** Why the numbers are old, if the table cannot be counted, and what that means. */
  public Optional<String> uncounted() {
    return Optional.ofNullable(failing)
        .map(
            reason ->
                "the table cannot be counted, so gauges stand still, and limits of the backlog neither warn nor refuse once the last count is too old: "
                    + reason);
  }

  /** The last count. */
  public Snapshot last() {
    return last;
  }

  /**
   * Counts now.
   *
   * @throws OutboxException if the table cannot be read
   */
  public List<DestinationStatistics> countNow() {
    try {
      return List.copyOf(read().byDestination().values());
    } catch (SQLException failed) {
      throw new OutboxException("The outbox cannot be counted: " + failed.getMessage(), failed);
    }
  }

  private Snapshot read() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(true); // else the query would leave a transaction behind
      return Snapshot.of(store.count(connection));
    }
  }
}
