package io.postbox.outbox.server;

import io.postbox.common.time.MonotonicClock;
import io.postbox.outbox.BacklogFullException;
import io.postbox.outbox.OutboxStatistics;
import io.postbox.outbox.ops.BacklogMonitor;
import io.postbox.outbox.ops.Snapshot;
import io.postbox.outbox.ops.StatisticsMonitor;
import io.postbox.outbox.store.StatisticsStore;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What this node knows of the whole table. The watch is made once the tables are in order. */
@ApplicationScoped
class StatisticsBean implements OutboxStatistics {
  @Inject OutboxExtension extension;

  private final AtomicLong refusals = new AtomicLong();
  private volatile @Nullable StatisticsMonitor watch;

  /** Suspends the caller's transaction, of which the count would become a part. */
  @Override
  @Transactional(Transactional.TxType.NOT_SUPPORTED)
  public List<DestinationStatistics> byDestination() {
    return watch().countNow();
  }

  /** Lets the table be counted if it is time to, and if it is there. */
  void countIfDue(Executor executor) {
    if (extension.installation().problem().isEmpty()) {
      watch().countIfDue(executor);
    }
  }

  /** What the last count found; nothing before the first. */
  Snapshot last() {
    StatisticsMonitor made = watch;
    return made == null ? Snapshot.NOTHING : made.last();
  }

  /** What an operator should know of how much waits, if anything. */
  Optional<String> backlogWarning() {
    return Optional.ofNullable(watch)
        .map(StatisticsMonitor::backlog)
        .flatMap(BacklogMonitor::warning);
  }

  /** Why the numbers are old, if the table cannot be counted. */
  Optional<String> uncounted() {
    return Optional.ofNullable(watch).flatMap(StatisticsMonitor::uncounted);
  }

  /** Why enqueue refuses, if it does. */
  Optional<String> refusal() {
    return Optional.ofNullable(watch)
        .map(StatisticsMonitor::backlog)
        .flatMap(BacklogMonitor::refusal);
  }

  /** How often enqueue has refused on this node. */
  long refusals() {
    return refusals.get();
  }

  /**
   * Costs no statement.
   *
   * @throws BacklogFullException if a hard limit is in force
   */
  void refuseIfFull() {
    StatisticsMonitor made = watch;
    if (made != null) {
      try {
        made.backlog().refuseIfFull();
      } catch (BacklogFullException full) {
        refusals.incrementAndGet();
        throw full;
      }
    }
  }

  /** Says why, if the tables are not in order. */
  private StatisticsMonitor watch() {
    StatisticsMonitor made = watch;
    return made == null ? make() : made;
  }

  private synchronized StatisticsMonitor make() {
    StatisticsMonitor made = watch;
    if (made == null) {
      Installation installation = extension.installation();
      made =
          new StatisticsMonitor(
              installation.dataSource(),
              new StatisticsStore(installation.dialect(), installation.config().tables()),
              installation.config().backlog(),
              MonotonicClock.started());
      watch = made;
    }
    return made;
  }
}
