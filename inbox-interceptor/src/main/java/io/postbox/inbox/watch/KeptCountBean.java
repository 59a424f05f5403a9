package io.postbox.inbox.watch;

import io.postbox.common.check.Finding;
import io.postbox.common.time.MonotonicClock;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.gate.QuotaPause;
import io.postbox.inbox.gate.QuotaPause.Limit;
import io.postbox.inbox.interceptor.DeliveryGateBean;
import io.postbox.inbox.interceptor.WorkQueues;
import io.postbox.inbox.jta.SuspendedTransaction;
import io.postbox.inbox.metrics.CountListener;
import io.postbox.inbox.metrics.GaugeRegistry;
import io.postbox.inbox.ops.AggregateWatch;
import io.postbox.inbox.ops.GapWatch;
import io.postbox.inbox.ops.Gaps;
import io.postbox.inbox.ops.KeptCounts;
import io.postbox.inbox.ops.KeptWatch;
import io.postbox.inbox.ops.MissingHandlers;
import io.postbox.inbox.ops.NodeFindings;
import io.postbox.inbox.receiver.Quotas;
import io.postbox.inbox.server.PeriodicTask;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
import io.postbox.inbox.store.AggregateCountStore;
import io.postbox.inbox.store.CountStore;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * This node's copy of the last count of kept and captured messages: one statement every five
 * seconds at most. Between two counts it looks, without a statement, whether a backlog of captured
 * messages is full.
 */
@ApplicationScoped
class KeptCountBean {
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final Duration BETWEEN_BACKLOGS = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Inject InboxDatabase database;
  @Inject SuspendedTransaction suspended;
  @Inject @Any Instance<CountListener> optionalListeners;

  @Inject @Any Instance<GaugeRegistry> gauges;
  @Inject DeliveryGateBean gate;
  @Inject InboxDeployment deployment;
  @Inject WorkQueues workers;
  @Inject NodeFindings reported;

  private @Nullable KeptWatch watch;
  private @Nullable AggregateWatch aggregates;
  private @Nullable GapWatch gaps;
  private QuotaPause pause;
  private QuotaPause backlogPause;
  private Set<String> paused = Set.of();
  private MissingHandlers missingHandlers;
  private List<CountListener> listeners;
  private PeriodicTask rounds;
  private Optional<PeriodicTask> backlogRounds = Optional.empty();

  @PostConstruct
  void start() {
    pause = new QuotaPause(Limit.QUOTA, gate::endpointsOf);
    backlogPause = new QuotaPause(Limit.BACKLOG, gate::endpointsOf);
    listeners = optionalListeners.stream().toList();
    missingHandlers = new MissingHandlers(deployment.handlers().consumers());
    rounds =
        PeriodicTask.start("postbox-inbox-watch " + database.config().service(), PAUSE, this::look);
    if (!deployment.handlers().consumers().isEmpty()) {
      backlogRounds =
          Optional.of(
              PeriodicTask.start(
                  "postbox-inbox-backlog " + database.config().service(),
                  BETWEEN_BACKLOGS,
                  this::lookAtBacklogs));
    }
  }

  void startUp(@Observes Startup event) {
    database
        .config()
        .consumers()
        .forEach(
            (consumer, settings) -> {
              if (settings.order().isPresent()) {
                gauges.forEach(gauge -> show(gauge, consumer));
              }
            });
  }

  private void show(GaugeRegistry gauge, String consumer) {
    gauge.showOf(
        consumer,
        "buffered",
        "Messages that came too early for this consumer's order of versions, and wait for those"
            + " before them; the same on every node",
        () -> (int) Math.min(Integer.MAX_VALUE, last().bufferedOf(consumer)));
    gauge.showOf(
        consumer,
        "version_gaps",
        "Aggregates of this consumer of which versions are missing for longer than order.longest-gap while later ones wait, up to %s; the same on every node within seconds"
            .formatted(GapWatch.MOST),
        () -> overdueOf(consumer));
  }

  /** How many gaps of a consumer are older than their limit, as of the last look. */
  synchronized int overdueOf(String consumer) {
    return gaps == null ? 0 : gaps.overdue().getOrDefault(consumer, 0);
  }

  private void look() {
    if (database.stores().isPresent()) {
      database.backlogs().mark();
      watch().look(this::counted);
      aggregates().look();
      gaps().look();
    }
  }

  private void lookAtBacklogs() {
    database.backlogs().mark();
    backlogPause.look(database.backlogs().full());
  }

  private void counted(KeptCounts counts, Duration age) {
    for (String consumer : paused) {
      if (!counts.capturedOf(consumer).isPaused()) {
        workers.captured(consumer); // an operator has resumed it, perhaps on another node
      }
    }
    paused = counts.paused();
    missingHandlers.counted(counts);
    reported.cameUp(cameUp());
    database.backlogs().counted(counts.backlogs(), age);
    database.buffers().counted(counts.buffered());
    Quotas quotas = database.quotas();
    quotas.counted(counts.used());
    pause.look(quotas.toBePaused());
    listeners.forEach(listener -> listener.counted(counts));
  }

  /** Created once the database is known. */
  private synchronized KeptWatch watch() {
    KeptWatch made = watch;
    if (made == null) {
      made =
          new KeptWatch(
              database.dataSource(),
              new CountStore(database.dialect().orElseThrow(), database.config().tables()),
              MonotonicClock.started());
      watch = made;
    }
    return made;
  }

  private synchronized GapWatch gaps() {
    GapWatch made = gaps;
    if (made == null) {
      InboxConfig config = database.config();
      Gaps found = new Gaps(database.dialect().orElseThrow(), config, database.dataSource());
      made = new GapWatch(found::overdue, config, MonotonicClock.started(), System::nanoTime);
      gaps = made;
    }
    return made;
  }

  private synchronized AggregateWatch aggregates() {
    AggregateWatch made = aggregates;
    if (made == null) {
      InboxConfig config = database.config();
      made =
          new AggregateWatch(
              database.dataSource(),
              new AggregateCountStore(database.dialect().orElseThrow(), config.tables()),
              config,
              database.quotas().aggregates(),
              MonotonicClock.started());
      aggregates = made;
    }
    return made;
  }

  /**
   * What came up since the start: captured messages wait for a handler that this node does not
   * have, or some of its workers do not run.
   */
  List<Finding> cameUp() {
    return Stream.concat(missingHandlers.finding().stream(), workers.finding().stream()).toList();
  }

  /** The result of the last count; zero before the first. */
  synchronized KeptCounts last() {
    return watch == null ? KeptCounts.NOTHING : watch.last();
  }

  /**
   * Counts now, outside of the caller's transaction, which would see its own rows and would have to
   * roll back if this failed.
   *
   * @throws InboxException if the tables cannot be read
   */
  KeptCounts now() {
    return suspended.call(ready()::now);
  }

  /** The course of the numbers, as a node last kept it; outside of the caller's transaction. */
  Optional<String> history() {
    return suspended.call(ready()::history);
  }

  /** Keeps the course of the numbers, outside of the caller's transaction. */
  void keepHistory(String history) {
    KeptWatch ready = ready();
    suspended.call(
        () -> {
          ready.keepHistory(history);
          return true;
        });
  }

  private KeptWatch ready() {
    if (database.stores().isEmpty()) {
      throw new InboxException(
          "The inbox cannot be counted, because it is not ready: " + database.problem(), null);
    }
    return watch();
  }

  @PreDestroy
  void stop() {
    backlogRounds.ifPresent(each -> each.stop(PATIENCE));
    rounds.stop(PATIENCE); // no interrupt: H2 would close its file
  }
}
