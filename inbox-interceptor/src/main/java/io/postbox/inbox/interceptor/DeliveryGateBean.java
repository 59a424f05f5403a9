package io.postbox.inbox.interceptor;

import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.gate.ApplicationGate;
import io.postbox.inbox.gate.Endpoints;
import io.postbox.inbox.receiver.DeliveryGate;
import io.postbox.inbox.store.SchemaException;
import io.postbox.inbox.store.Stores;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Shutdown;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;

/** The entrance of this application's deliveries, open as long as the application runs. */
@ApplicationScoped
class DeliveryGateBean {
  private static final Duration BETWEEN_QUESTIONS = Duration.ofSeconds(5);
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  @Inject InboxExtension extension;
  @Inject @Any Instance<GaugeRegistry> gauges;

  private final BusyConsumers atWork = new BusyConsumers();
  private ApplicationGate gate;
  private PeriodicTask questions;
  private PeriodicTask looks;
  private DaemonThreads threads;

  @PostConstruct
  void open() {
    InboxConfig config = extension.installation().config();
    String service = config.service();
    threads = new DaemonThreads("postbox-inbox-outage " + service);
    gate =
        new ApplicationGate(
            config.outageWait(),
            config.stopGrace(),
            this::ask,
            new LibertyEndpoints(
                extension.applicationName(),
                extension.messageDrivenBeans(),
                bean -> atWork.isAny(consumer -> extension.bringsTo(bean, consumer))),
            threads);
    questions =
        PeriodicTask.start(
            "postbox-inbox-question " + service, BETWEEN_QUESTIONS, gate::askDatabase);
    looks =
        PeriodicTask.start(
            "postbox-inbox-patience " + service, BETWEEN_LOOKS, gate::lookAtDatabase);
    gauges.forEach(
        gauge ->
            gauge.show(
                "database_down",
                "1 while the inbox's database does not answer this node, else 0",
                () -> gate.outage().isPresent() ? 1 : 0));
  }

  /** The endpoints that bring messages to a consumer. */
  Endpoints endpointsOf(String consumer) {
    return new LibertyEndpoints(
        extension.applicationName(),
        extension.messageDrivenBeans().stream()
            .filter(bean -> extension.bringsTo(bean, consumer))
            .collect(Collectors.toSet()),
        bean -> atWork.isAny(each -> extension.bringsTo(bean, each)));
  }

  /** Every run of a handler is to be counted there. */
  BusyConsumers atWork() {
    return atWork;
  }

  DeliveryGate gate() {
    return gate;
  }

  /** For how long the database has not answered; empty if it does. */
  Optional<Duration> outage() {
    return gate.outage();
  }

  /** On a thread without a transaction. */
  private void ask() throws SQLException {
    InboxDatabase installation = extension.installation();
    try {
      installation.prepare();
    } catch (SchemaException unusable) {
      return; // an answer, which deliveries meet as well
    }
    Stores stores =
        installation.stores().orElseThrow(() -> new SQLException(installation.problem()));
    try (Connection connection = installation.dataSource().getConnection()) {
      connection.setAutoCommit(true);
      stores.messages().ping(connection);
    }
  }

  /** Before the beans go that handlers may still need. */
  void stopEarly(@Observes Shutdown event) {
    gate.stop();
  }

  /** A pause takes as long as a handler, which has had its time. */
  @PreDestroy
  void stop() {
    gate.stop();
    looks.stop(PATIENCE);
    questions.stop(PATIENCE); // a database that hangs keeps its thread for longer
    threads.awaitEnd(PATIENCE);
  }
}
