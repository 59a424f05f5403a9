package io.postbox.inbox.ops;

import io.postbox.common.config.Durations;
import io.postbox.common.ops.LoggedOnce;
import io.postbox.common.store.LocalTransactions;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.receiver.Limits;
import io.postbox.inbox.store.AggregateCountStore;
import io.postbox.inbox.store.AggregateCountStore.Line;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;

/**
 * Counts the aggregates that consumers with version order know. One node counts for all of them,
 * once a minute at most and for a hundredth of the time, and only up to the quota; the others read
 * its result. Called by one thread.
 */
public final class AggregateWatch {
  private static final Duration SHORTEST_PAUSE = Duration.ofMinutes(1);
  private static final int PAUSE_PER_COUNT = 100;

  private final LocalTransactions transactions;
  private final AggregateCountStore store;
  private final InboxConfig config;
  private final Limits limits;
  private final InstantSource clock;
  private final Set<String> ordered;
  private final LoggedOnce log =
      new LoggedOnce(
          failed -> WatchLog.countFailed(WatchLog.Counted.AGGREGATES, failed),
          () -> WatchLog.countWorks(WatchLog.Counted.AGGREGATES));

  /**
   * @param dataSource where the tables are; its connections must not be part of a transaction
   * @param store the statements
   * @param config knows which consumers have version order, and how many aggregates they may know
   * @param limits receive the counts
   * @param clock the node's clock, which never goes back
   */
  public AggregateWatch(
      DataSource dataSource,
      AggregateCountStore store,
      InboxConfig config,
      Limits limits,
      InstantSource clock) {
    transactions = LocalTransactions.retryingConflicts(dataSource);
    this.store = store;
    this.config = config;
    this.limits = limits;
    this.clock = clock;
    ordered = config.orders().keySet();
  }

  /**
   * Reads the last counts, and counts where a count is due that no other node makes. If a count
   * fails, the last one is kept and the failure is logged once.
   */
  public void look() {
    if (ordered.isEmpty()) {
      return;
    }
    try {
      boolean hasCounted = false;
      for (String consumer : due(learn())) {
        hasCounted |= transactions.once(connection -> count(connection, consumer));
      }
      if (hasCounted) {
        learn();
      }
      log.works();
    } catch (SQLException | RuntimeException failed) {
      log.failed(failed);
    }
  }

  private List<Line> learn() throws SQLException {
    List<Line> lines = transactions.eachAlone(store::read);
    lines.forEach(line -> limits.counted(line.consumer(), line.aggregates(), line.countedAt()));
    return lines;
  }

  private Set<String> due(List<Line> lines) {
    Set<String> due = new TreeSet<>(ordered);
    lines.stream().filter(line -> !line.isDue()).forEach(line -> due.remove(line.consumer()));
    return due;
  }

  private boolean count(Connection connection, String consumer) throws SQLException {
    Instant began = clock.instant();
    store.make(connection, consumer);
    Optional<Instant> claimed = store.claim(connection, consumer);
    if (claimed.isEmpty()) {
      return false;
    }
    long limit = config.of(consumer).quota().aggregates() + 1L;
    long aggregates = store.count(connection, consumer, limit);
    Duration took = Duration.between(began, clock.instant());
    store.keep(
        connection,
        consumer,
        aggregates,
        claimed.get(),
        claimed.get().plus(Durations.longer(SHORTEST_PAUSE, took.multipliedBy(PAUSE_PER_COUNT))));
    return true;
  }
}
