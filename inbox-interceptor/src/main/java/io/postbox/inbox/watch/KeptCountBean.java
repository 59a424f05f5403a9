package io.postbox.inbox.watch;

import io.postbox.common.check.Finding;
import io.postbox.common.ops.Part;
import io.postbox.common.ops.SharedCount;
import io.postbox.common.time.MonotonicClock;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.gate.QuotaPause;
import io.postbox.inbox.interceptor.DeliveryGateBean;
import io.postbox.inbox.interceptor.WorkQueues;
import io.postbox.inbox.metrics.CountListener;
import io.postbox.inbox.metrics.InboxMeters;
import io.postbox.inbox.ops.AggregateWatch;
import io.postbox.inbox.ops.GapWatch;
import io.postbox.inbox.ops.Gaps;
import io.postbox.inbox.ops.KeptCounts;
import io.postbox.inbox.ops.MissingHandlers;
import io.postbox.inbox.ops.NodeFindings;
import io.postbox.inbox.server.PeriodicTask;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
import io.postbox.inbox.store.AggregateCountStore;
import io.postbox.inbox.store.CountStore;
import io.postbox.inbox.store.CountStore.Kind;
import io.postbox.inbox.store.CountStore.Line;
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
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * This node's copy of the last count of kept and captured messages: one statement every five
 * seconds at most. Between two counts it looks, without a statement, which limits are full.
 */
@ApplicationScoped
class KeptCountBean {
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Inject InboxDatabase database;
  @Inject @Any Instance<CountListener> optionalListeners;

  @Inject InboxMeters meters;
  @Inject DeliveryGateBean gate;
  @Inject InboxDeployment deployment;
  @Inject WorkQueues workers;
  @Inject NodeFindings reported;

  private Part<SharedCount<Line, KeptCounts>> watch;
  private Part<AggregateWatch> aggregates;
  private Part<GapWatch> gaps;
  private QuotaPause pause;
  private Set<String> paused = Set.of();
  private MissingHandlers missingHandlers;
  private List<CountListener> listeners;
  private PeriodicTask rounds;
  private PeriodicTask limitRounds;

  @PostConstruct
  void start() {
    wire(database.config(), database.dataSource());
    pause = new QuotaPause(gate::endpointsOf);
    listeners = optionalListeners.stream().toList();
    missingHandlers = new MissingHandlers(deployment.handlers().consumers());
    rounds =
        PeriodicTask.start("postbox-inbox-watch " + database.config().service(), PAUSE, this::look);
    limitRounds =
        PeriodicTask.start(
            "postbox-inbox-limits " + database.config().service(),
            BETWEEN_LOOKS,
            this::lookAtLimits);
  }

  private void wire(InboxConfig config, DataSource dataSource) {
    String problem = "The messages cannot be counted";
    watch =
        database.whenReady(
            problem,
            dialect ->
                KeptCounts.on(
                    dataSource,
                    new CountStore(dialect, config.tables()),
                    MonotonicClock.started()));
    gaps =
        database.whenReady(
            problem,
            dialect ->
                new GapWatch(
                    new Gaps(dialect, config, dataSource)::overdue,
                    config,
                    MonotonicClock.started(),
                    System::nanoTime));
    aggregates =
        database.whenReady(
            problem,
            dialect ->
                new AggregateWatch(
                    dataSource,
                    new AggregateCountStore(dialect, config.tables()),
                    config,
                    database.limits(),
                    MonotonicClock.started()));
  }

  void startUp(@Observes Startup event) {
    database.config().orders().keySet().forEach(this::show);
  }

  private void show(String consumer) {
    meters.showOf(
        consumer,
        "buffered",
        "Messages that came too early for this consumer's order of versions, and wait for those"
            + " before them; the same on every node",
        () -> last().of(Kind.EARLY, consumer));
    meters.showOf(
        consumer,
        "version_gaps",
        "Aggregates of this consumer of which versions are missing for longer than order.longest-gap while later ones wait, up to %s; the same on every node within seconds"
            .formatted(GapWatch.MOST),
        () -> overdueOf(consumer));
  }

  /** How many gaps of a consumer are older than their limit, as of the last look. */
  int overdueOf(String consumer) {
    return gaps.ifBuilt().map(built -> built.overdue().getOrDefault(consumer, 0)).orElse(0);
  }

  private void look() {
    if (database.stores().isPresent()) {
      database.limits().mark();
      watch.get().lookIfDue(Runnable::run, (counts, found) -> counted(counts, found.age()));
      aggregates.get().look();
      gaps.get().look();
    }
  }

  private void lookAtLimits() {
    database.limits().mark();
    pause.look(database.limits().toBePaused());
  }

  private void counted(KeptCounts counts, Duration age) {
    for (String consumer : paused) {
      if (!counts.paused().contains(consumer)) {
        workers.captured(consumer); // an operator has resumed it, perhaps on another node
      }
    }
    paused = counts.paused();
    missingHandlers.counted(counts);
    reported.cameUp(cameUp());
    database.limits().counted(counts.limited(), age);
    listeners.forEach(listener -> listener.counted(counts));
  }

  /**
   * What came up since the start: captured messages wait for a handler that this node does not
   * have, or some of its workers do not run.
   */
  List<Finding> cameUp() {
    return Stream.concat(missingHandlers.finding().stream(), workers.finding().stream()).toList();
  }

  /** The result of the last count; zero before the first. */
  KeptCounts last() {
    return watch.ifBuilt().map(SharedCount::last).orElse(KeptCounts.NOTHING);
  }

  /**
   * Counts when it is asked.
   *
   * @throws InboxException if the tables are not in order
   */
  SharedCount<Line, KeptCounts> ready() {
    return watch.get();
  }

  @PreDestroy
  void stop() {
    limitRounds.stop(PATIENCE);
    rounds.stop(PATIENCE); // no interrupt: H2 would close its file
  }
}
