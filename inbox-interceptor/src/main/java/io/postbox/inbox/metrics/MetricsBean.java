package io.postbox.inbox.metrics;

import io.postbox.common.metrics.Meters;
import io.postbox.common.metrics.MetricsChoice;
import io.postbox.common.metrics.MetricsSource;
import io.postbox.common.telemetry.MicrometerSource;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.receiver.Limits.Kind;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The metrics of this application. */
@ApplicationScoped
class MetricsBean {
  /** A system whose API a bean has to ask for; not one of the other module's beans. */
  interface Source extends Supplier<MetricsSource> {}

  @Inject InboxDatabase database;
  @Inject InboxDeployment deployment;
  @Inject @Any Instance<Source> sources;

  private Meters meters = Meters.NONE;
  private InboxMeters all;

  @PostConstruct
  void choose() {
    meters =
        new MetricsChoice(
                database.config().metrics(),
                InboxLog.SHARED::noMetrics,
                InboxLog.SHARED::metricsFailed)
            .among(
                Stream.concat(
                        sources.stream().map(Source::get),
                        Stream.of(MicrometerSource.ofApplication()))
                    .toList());
    all =
        new InboxMeters(
            meters,
            database.config().service(),
            deployment.consumers(),
            consumer ->
                database.limits().isFull(consumer, Kind.KEPT)
                    || database.limits().isFull(consumer, Kind.AGGREGATES),
            deployment.handlers().consumers(),
            consumer -> database.limits().isFull(consumer, Kind.CAPTURED));
  }

  /**
   * The same object for all, because a gauge shows what its own object was told. Dependent, because
   * it is called after the transaction's completion, where no scope of the application need be
   * active.
   */
  @Produces
  @Dependent
  InboxMeters all() {
    return all;
  }

  @PreDestroy
  void remove() {
    meters.close();
  }
}
