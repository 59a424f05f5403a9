package io.postbox.inbox.metrics;

import io.postbox.common.metrics.Meters;
import io.postbox.common.server.ServerTelemetry;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.receiver.Limits.Kind;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;

/** The metrics of this application. */
@ApplicationScoped
class MetricsBean {
  @Inject InboxDatabase database;
  @Inject InboxDeployment deployment;
  @Inject Instance<Object> beans;

  private Meters meters = Meters.NONE;
  private InboxMeters all;

  @PostConstruct
  void choose() {
    meters = new ServerTelemetry(beans, InboxLog.SHARED).meters(database.config().metrics());
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
