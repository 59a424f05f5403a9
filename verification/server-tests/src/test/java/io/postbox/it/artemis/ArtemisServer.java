package io.postbox.it.artemis;

import io.postbox.it.frame.Archives;
import io.postbox.testkit.ArtemisBroker;
import io.postbox.testkit.BrokerSettings;
import io.postbox.testkit.BrokerSettings.WhenFull;
import io.postbox.testkit.sample.SampleServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;

/**
 * A server with the sample, and beside it an application "flow" that enqueues whatever a test asks
 * for, and the application of {@link Consumers}; PostgreSQL, and an Artemis broker that is not the
 * server's child.
 */
final class ArtemisServer implements AutoCloseable {
  static final String PLAIN = "PLAIN";
  static final String LIMITED = "LIMITED";
  static final String READ_ONLY = "READ-ONLY";
  static final String NOWHERE = "NOWHERE";

  /** Of the application "flow". */
  static final Duration SEND_TIMEOUT = Duration.ofSeconds(2);

  private final SampleServer server;
  private final ArtemisBroker broker;

  ArtemisServer(String name, Path work) {
    List<String> queues =
        new ArrayList<>(List.of("SHIPPING", "ORDERS", "BILLING", PLAIN, LIMITED, READ_ONLY));
    queues.addAll(Consumers.QUEUES);
    BrokerSettings settings =
        BrokerSettings.of(queues)
            .withTopics(Consumers.TOPIC)
            .withLimit(LIMITED, 20_000, WhenFull.FAIL)
            .withSecurity(READ_ONLY);
    broker = ArtemisBroker.anew(work.resolve(name + "-broker"), settings);
    server =
        new SampleServer(
            name,
            Map.of(
                "postbox.messaging",
                "artemis",
                "postbox.artemis.port",
                String.valueOf(settings.port()),
                "postbox.artemis.user",
                BrokerSettings.USER,
                "postbox.artemis.password",
                BrokerSettings.USER,
                "postbox.artemis.rar",
                Path.of(System.getProperty("postbox.artifacts"), "postbox-artemis-rar.rar")
                    .toString()));
    addApplications();
  }

  void start() {
    broker.start();
    broker.awaitUp();
    server.start();
  }

  SampleServer sample() {
    return server;
  }

  ArtemisBroker broker() {
    return broker;
  }

  /** How many of the sample's shipments have no invoice, or several. */
  long shipmentsNotBilledOnce() {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery(
                """
                SELECT COUNT(*)
                FROM shipment
                WHERE (SELECT COUNT(*) FROM invoice WHERE shipment_id = shipment.id) <> 1
                """)) {
      found.next();
      return found.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException("The database does not answer", e);
    }
  }

  @Override
  public void close() {
    server.close();
    broker.close();
  }

  private void addApplications() {
    Map<String, String> settings =
        Archives.settings(
            "flow",
            "postbox.outbox.relay.send-timeout",
            "2s",
            "postbox.outbox.max-attempts",
            "2",
            "postbox.outbox.backoff.first",
            "100ms",
            "postbox.outbox.duplicate-detection",
            "artemis");
    Archives.war("flow", settings, FlowServlet.class)
        .as(ZipExporter.class)
        .exportTo(server.home().resolve("apps/flow.war").toFile(), true);
    Consumers.application()
        .as(ZipExporter.class)
        .exportTo(server.home().resolve("apps/consumers.war").toFile(), true);
    List<String> names = new ArrayList<>(List.of(PLAIN, LIMITED, READ_ONLY, NOWHERE));
    names.addAll(Consumers.QUEUES);
    String queues =
        names.stream()
            .map(
                queue ->
                    """
                      <jmsQueue id="jms/%1$s" jndiName="jms/%1$s">
                        <properties.artemis address="%1$s"/>
                      </jmsQueue>
                    """
                        .formatted(queue))
            .collect(Collectors.joining());
    try {
      Files.writeString(
          server.home().resolve("configDropins/overrides/flow.xml"),
          """
          <server>
            <webApplication id="flow" name="flow" location="flow.war" contextRoot="/flow"/>
          %s%s</server>
          """
              .formatted(queues, Consumers.configuration()));
    } catch (IOException e) {
      throw new UncheckedIOException("The server's folder cannot be written to", e);
    }
  }
}
