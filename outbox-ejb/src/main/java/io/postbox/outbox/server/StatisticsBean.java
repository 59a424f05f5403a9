package io.postbox.outbox.server;

import io.postbox.common.ops.Part;
import io.postbox.common.time.MonotonicClock;
import io.postbox.outbox.BacklogFullException;
import io.postbox.outbox.OutboxStatistics;
import io.postbox.outbox.ops.BacklogMonitor;
import io.postbox.outbox.ops.Snapshot;
import io.postbox.outbox.ops.StatisticsMonitor;
import io.postbox.outbox.ops.Throughput;
import io.postbox.outbox.store.StatisticsStore;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/** The statistics of the whole table, as this node knows them. */
@ApplicationScoped
class StatisticsBean implements OutboxStatistics {
  @Inject OutboxDatabase database;

  private final Throughput throughput = new Throughput();
  private final AtomicLong refusals = new AtomicLong();
  private Part<StatisticsMonitor> monitor;

  @PostConstruct
  void wire() {
    monitor =
        database.whenReady(
            dialect ->
                new StatisticsMonitor(
                    database.dataSource(),
                    new StatisticsStore(dialect, database.config().tables()),
                    database.config().backlog(),
                    MonotonicClock.started()));
  }

  /** Suspends the caller's transaction, or the count would become a part of it. */
  @Override
  @Transactional(Transactional.TxType.NOT_SUPPORTED)
  public List<DestinationStatistics> byDestination() {
    return List.copyOf(monitor.get().count().now().byDestination().values());
  }

  @Override
  public List<DestinationThroughput> onThisNode() {
    return throughput.byDestination();
  }

  @Override
  @Transactional(Transactional.TxType.NOT_SUPPORTED)
  public Optional<String> history() {
    return monitor.get().count().history();
  }

  @Override
  @Transactional(Transactional.TxType.NOT_SUPPORTED)
  public void keepHistory(String history) {
    monitor.get().count().keepHistory(history);
  }

  /** Is told what the relay does. */
  @Produces
  @Dependent
  Throughput throughput() {
    return throughput;
  }

  /** Starts a count if it is due and the tables exist. */
  void countIfDue(Executor executor) {
    if (database.isReady()) {
      monitor.get().countIfDue(executor);
    }
  }

  /** The result of the last count; nothing before the first. */
  Snapshot last() {
    return monitor.ifBuilt().map(it -> it.count().last()).orElse(Snapshot.NOTHING);
  }

  /** The warning about the backlog, if there is one. */
  Optional<String> backlogWarning() {
    return monitor.ifBuilt().map(StatisticsMonitor::backlog).flatMap(BacklogMonitor::warning);
  }

  /** Whether the table cannot be counted, so that the numbers are old. */
  boolean isUncounted() {
    return monitor.ifBuilt().filter(StatisticsMonitor::isUncounted).isPresent();
  }

  /** Why enqueue refuses messages, if it does. */
  Optional<String> refusal() {
    return monitor.ifBuilt().map(StatisticsMonitor::backlog).flatMap(BacklogMonitor::refusal);
  }

  /** How often enqueue has refused messages on this node. */
  long refusals() {
    return refusals.get();
  }

  /**
   * Runs no statement.
   *
   * @throws BacklogFullException if a hard limit is in force
   */
  void refuseIfFull() {
    try {
      monitor.ifBuilt().map(StatisticsMonitor::backlog).ifPresent(BacklogMonitor::refuseIfFull);
    } catch (BacklogFullException full) {
      refusals.incrementAndGet();
      throw full;
    }
  }
}
