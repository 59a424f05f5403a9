package io.postbox.it.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.it.frame.MBeans;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.ObjectName;

/** A server whose database does not answer for a while, under load; what can be seen of it. */
final class Outage {
  static final Duration LENGTH = Duration.ofSeconds(30);

  private static final String CONTROL = "WebSphere:feature=kernel,name=ServerEndpointControl";

  private final Nodes nodes;
  private final Node node;

  Outage(Nodes nodes) {
    this.nodes = nodes;
    node = nodes.get(0);
  }

  /** A handler that takes its time, so that messages wait and deliveries run at any moment. */
  static Rule slowHandler() {
    return new Rule(
        "slow",
        "io.postbox.sample.shipping.ShippingMdb",
        "onMessage",
        "AT ENTRY",
        "TRUE",
        "delay(300)");
  }

  void awaitBacklog() {
    await("messages that wait")
        .atMost(Duration.ofSeconds(60))
        .until(() -> Queues.depths(node.folder().mbeans()).get("SHIPPING"), depth -> depth > 10);
  }

  /** Waits until everybody can see it. */
  void awaitAlert() {
    await("the alert")
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              assertThat(log("IBX0020")).isNotEmpty();
              assertThat(gauge()).isOne();
              assertThat(Http.status(node.server().base().resolve("/health/ready"))).isEqualTo(503);
              assertThat(pausedEndpoints())
                  .hasSize(2)
                  .containsValue(true)
                  .doesNotContainValue(false);
            });
  }

  void last() {
    await("the end of the outage")
        .pollDelay(LENGTH)
        .atMost(LENGTH.multipliedBy(2))
        .until(() -> true);
  }

  void awaitEnd() {
    await("the end of the outage")
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              assertThat(log("IBX0021")).isNotEmpty();
              assertThat(gauge()).isZero();
              assertThat(pausedEndpoints()).hasSize(2).doesNotContainValue(true);
            });
  }

  /**
   * What was delivered was handled once, and nothing was held against a handler. What the relay
   * makes of an outage is not asked here. Ends the server on H2.
   */
  void assertHarmless() throws SQLException {
    await("empty queues, of exceptions too")
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                Queues.depths(node.folder().mbeans()).values().stream()
                    .allMatch(messages -> messages == 0));
    if (!nodes.database().readableBesideServer()) {
      node.server().kill();
    }
    try (Connection connection = nodes.database().connect();
        Statement statement = connection.createStatement()) {
      assertThat(count(statement, "SELECT COUNT(*) FROM inbox_parked")).as("parked").isZero();
      assertThat(count(statement, "SELECT COUNT(*) FROM inbox_quarantine")).isZero();
      assertThat(
              count(
                  statement,
                  "SELECT COUNT(*) FROM inbox_failure WHERE kind IN ('FAILED', 'REJECTED')"))
          .as("counted failures")
          .isZero();
      assertThat(count(statement, "SELECT COUNT(*) FROM shipment")).isPositive();
      assertThat(
              count(
                  statement,
                  """
                  SELECT (SELECT COUNT(*) FROM shipment)
                       - (SELECT COUNT(*) FROM inbox_message WHERE consumer = 'shipping')
                  """))
          .as("effects without their message, or messages without their effect")
          .isZero();
      assertThat(count(statement, "SELECT COUNT(*) - COUNT(DISTINCT order_id) FROM shipment"))
          .as("doubled effects")
          .isZero();
    }
    assertThat(Tables.inDoubt(nodes.database())).isEmpty();
  }

  List<String> log(String id) {
    return node.server().lines(id);
  }

  private double gauge() throws IOException {
    return Http.get(node.server().base().resolve("/metrics"))
        .lines()
        .filter(line -> line.startsWith("postbox_inbox_database_down{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .findFirst()
        .orElseThrow();
  }

  private Map<String, Boolean> pausedEndpoints() {
    MBeans mbeans = node.folder().mbeans();
    return mbeans.ask(
        server -> {
          ObjectName control = new ObjectName(CONTROL);
          Map<String, Boolean> paused = new TreeMap<>();
          for (Object id :
              (List<?>) server.invoke(control, "listEndpoints", new Object[0], new String[0])) {
            if (String.valueOf(id).startsWith("postbox-sample#")) {
              paused.put(
                  String.valueOf(id),
                  (Boolean)
                      server.invoke(
                          control,
                          "isPaused",
                          new Object[] {id},
                          new String[] {String.class.getName()}));
            }
          }
          return paused;
        });
  }

  private static long count(Statement statement, String query) throws SQLException {
    try (ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }
}
