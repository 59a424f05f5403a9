package io.postbox.inbox.interceptor;

import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.guard.Admission;
import io.postbox.inbox.outage.Endpoints;
import io.postbox.inbox.outage.Entrance;
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
class EntranceBean {
  private static final Duration BETWEEN_QUESTIONS = Duration.ofSeconds(5);
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  @Inject InboxExtension extension;
  @Inject @Any Instance<GaugeRegistry> gauges;

  private final HandlersAtWork atWork = new HandlersAtWork();
  private Entrance entrance;
  private Rounds questions;
  private Rounds looks;
  private OwnThreads threads;

  @PostConstruct
  void open() {
    InboxConfig config = extension.installation().config();
    String service = config.service();
    threads = new OwnThreads("postbox-inbox-outage " + service);
    entrance =
        new Entrance(
            config.outageWait(),
            config.stopGrace(),
            this::ask,
            new LibertyEndpoints(
                extension.applicationName(),
                extension.messageDrivenBeans(),
                bean -> atWork.isAny(consumer -> extension.bringsTo(bean, consumer))),
            threads);
    questions =
        Rounds.start("postbox-inbox-question " + service, BETWEEN_QUESTIONS, entrance::askDatabase);
    looks =
        Rounds.start("postbox-inbox-patience " + service, BETWEEN_LOOKS, entrance::lookAtDatabase);
    gauges.forEach(
        gauge ->
            gauge.show(
                "database_down",
                "1 while the inbox's database does not answer this node, else 0",
                () -> entrance.outage().isPresent() ? 1 : 0));
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
  HandlersAtWork atWork() {
    return atWork;
  }

  Admission admission() {
    return entrance;
  }

  /** For how long the database has not answered; empty if it does. */
  Optional<Duration> outage() {
    return entrance.outage();
  }

  /** On a thread without a transaction. */
  private void ask() throws SQLException {
    Installation installation = extension.installation();
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
    entrance.stop();
  }

  /** A pause takes as long as a handler, which has had its time. */
  @PreDestroy
  void stop() {
    entrance.stop();
    looks.stop(PATIENCE);
    questions.stop(PATIENCE); // a database that hangs keeps its thread for longer
    threads.awaitEnd(PATIENCE);
  }
}
