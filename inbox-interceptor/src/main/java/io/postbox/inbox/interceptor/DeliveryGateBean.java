package io.postbox.inbox.interceptor;

import io.postbox.common.platform.Endpoints;
import io.postbox.common.platform.Platforms;
import io.postbox.common.store.SchemaException;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.gate.ApplicationGate;
import io.postbox.inbox.gate.DatabaseMonitor;
import io.postbox.inbox.gate.HoldingThrottle;
import io.postbox.inbox.metrics.InboxMeters;
import io.postbox.inbox.receiver.DatabaseAvailability;
import io.postbox.inbox.receiver.DeliveryGate;
import io.postbox.inbox.receiver.RetryThrottle;
import io.postbox.inbox.server.DaemonThreads;
import io.postbox.inbox.server.PeriodicTask;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Shutdown;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The gate of this application's deliveries, open as long as the application runs. */
@ApplicationScoped
public class DeliveryGateBean {
  private static final Duration BETWEEN_PROBES = Duration.ofSeconds(5);
  private static final Duration BETWEEN_CHECKS = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  @Inject InboxDatabase tables;
  @Inject InboxDeployment deployment;
  @Inject InboxMeters meters;

  private final BusyConsumers atWork = new BusyConsumers();
  private final BusyConsumers withCaptured = new BusyConsumers();
  private final HoldingThrottle throttle = new HoldingThrottle();
  private DatabaseMonitor database;
  private ApplicationGate gate;
  private PeriodicTask probes;
  private PeriodicTask checks;
  private DaemonThreads threads;

  @PostConstruct
  public void open() {
    InboxConfig config = tables.config();
    String service = config.service();
    threads = new DaemonThreads("postbox-inbox-outage " + service);
    database =
        new DatabaseMonitor(
            config.outageWait(), this::ping, endpoints(deployment.messageDrivenBeans()), threads);
    gate = new ApplicationGate(config.stopGrace(), database, throttle);
    probes =
        PeriodicTask.start("postbox-inbox-question " + service, BETWEEN_PROBES, database::probe);
    checks =
        PeriodicTask.start(
            "postbox-inbox-patience " + service, BETWEEN_CHECKS, database::checkPatience);
    meters.show(
        "database_down",
        "1 while the inbox's database is unavailable to this node, else 0",
        () -> database.outage().isPresent() ? 1 : 0);
  }

  /** The endpoints that deliver to a consumer. */
  public Endpoints endpointsOf(String consumer) {
    return endpoints(
        deployment.messageDrivenBeans().stream()
            .filter(bean -> deployment.bringsTo(bean, consumer))
            .collect(Collectors.toSet()));
  }

  private Endpoints endpoints(Set<String> beans) {
    return Platforms.here()
        .endpoints(
            deployment.applicationName(),
            beans,
            bean -> atWork.isAny(consumer -> deployment.bringsTo(bean, consumer)));
  }

  /** The running handlers of deliveries; every run has to be counted there. */
  public BusyConsumers atWork() {
    return atWork;
  }

  /**
   * The running handlers of captured messages; every run has to be counted there. No endpoint has
   * to wait for them.
   */
  public BusyConsumers withCaptured() {
    return withCaptured;
  }

  public DeliveryGate gate() {
    return gate;
  }

  public DatabaseAvailability database() {
    return database;
  }

  public RetryThrottle throttle() {
    return throttle;
  }

  /** How long the database has been unavailable; empty if it is available. */
  public Optional<Duration> outage() {
    return database.outage();
  }

  /** Probes the database on a thread without a transaction. */
  private void ping() throws SQLException {
    try {
      tables.prepare();
    } catch (SchemaException unusable) {
      return; // the database answered; deliveries report the tables
    }
    tables.ping();
  }

  /** Closes the gate before the container destroys beans that handlers may still need. */
  public void stopEarly(@Observes Shutdown event) {
    gate.stop();
  }

  /** Ends all threads. A pause that still waits for a handler is not awaited for long. */
  @PreDestroy
  public void stop() {
    gate.stop();
    checks.stop(PATIENCE);
    probes.stop(PATIENCE); // a probe of a hanging database may outlast this
    threads.awaitEnd(PATIENCE);
  }
}
