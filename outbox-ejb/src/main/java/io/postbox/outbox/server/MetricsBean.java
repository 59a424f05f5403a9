package io.postbox.outbox.server;

import io.postbox.common.metrics.Meters;
import io.postbox.common.server.ServerTelemetry;
import io.postbox.common.time.MonotonicClock;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.OutboxLog;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;

/** The metrics system of this application. */
@ApplicationScoped
class MetricsBean {
  @Inject OutboxDatabase database;
  @Inject Instance<Object> beans;

  private Meters meters = Meters.NONE;

  @PostConstruct
  void choose() {
    meters = new ServerTelemetry(beans, OutboxLog.SHARED).meters(database.config().metrics());
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
