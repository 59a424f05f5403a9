package io.postbox.outbox.server;

import io.postbox.common.metrics.Meters;
import io.postbox.common.metrics.MetricsChoice;
import io.postbox.common.metrics.MetricsSource;
import io.postbox.common.telemetry.MicrometerSource;
import io.postbox.common.time.MonotonicClock;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.OutboxLog;
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

/** The metrics system of this application. */
@ApplicationScoped
class MetricsBean {
  /** A system whose API a bean has to ask for; not one of the other module's beans. */
  interface Source extends Supplier<MetricsSource> {}

  @Inject OutboxDatabase database;
  @Inject @Any Instance<Source> sources;

  private Meters meters = Meters.NONE;

  @PostConstruct
  void choose() {
    meters =
        new MetricsChoice(
                database.config().metrics(),
                OutboxLog.SHARED::noMetrics,
                OutboxLog.SHARED::metricsFailed)
            .among(
                Stream.concat(
                        sources.stream().map(Source::get),
                        Stream.of(MicrometerSource.ofApplication()))
                    .toList());
  }

  /** Measures what the relay does. */
  @Produces
  @Dependent
  DestinationMeters listener(NodeGauges gauges) {
    OutboxConfig config = database.config();
    return new DestinationMeters(
        meters, config.service(), config.destinations(), gauges, MonotonicClock.started());
  }

  @PreDestroy
  void remove() {
    meters.close();
  }
}
