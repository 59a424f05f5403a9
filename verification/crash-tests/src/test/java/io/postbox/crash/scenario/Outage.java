package io.postbox.crash.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.testkit.server.Http;
import io.postbox.testkit.server.MBeans;
import io.postbox.testkit.server.Rule;
import io.postbox.testkit.server.ServerProcess;
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

/** A server whose database does not answer for a while, under load, as seen from outside. */
final class Outage {
  /**
   * The first to meet an outage may be a commit that the container asks for, and JTA tells nobody
   * why that fails. It would count, but for its record, which meets the outage too.
   */
  private static final String SILENT = "its transaction was rolled back at commit";

  /** For orders, shipping and billing; the last one captures, and is paused as well. */
  private static final int LISTENERS = 3;

  private static final String CONTROL = "WebSphere:feature=kernel,name=ServerEndpointControl";
  private static final String BEGUN = "IBX0020";
  private static final String ENDED = "IBX0021";

  /** Liberty's words for a request to pause endpoints, which lasts as long as their deliveries. */
  private static final String PAUSING = "CWWKE0924I";

  private final Nodes nodes;
  private final Node node;
  private final int alertsBefore;
  private final int pausesBefore;

  /** Those before this one have ended. */
  Outage(Nodes nodes) {
    this.nodes = nodes;
    node = nodes.get(0);
    alertsBefore = log(BEGUN).size();
    pausesBefore = log(PAUSING).size();
  }

  /**
   * How the database goes and comes back.
   *
   * @param what happens to it
   * @param length how long it lasts at least
   * @param hangs whether a caller waits for it, rather than failing at once
   */
  record Loss(String what, Duration length, boolean hangs, Runnable take, Runnable giveBack) {}

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

  /** From its beginning to the moment at which everybody can see that it has ended. */
  void happen(Loss loss) {
    awaitBacklog();
    loss.take().run();
    nodes.mark(node, "database " + loss.what());
    long began = System.nanoTime();
    awaitAlert(loss.hangs());
    if (!loss.hangs()) {
      awaitPause(); // the server does not say while it waits for deliveries that hang
    }
    Duration left = loss.length().minusNanos(System.nanoTime() - began);
    if (!left.isNegative()) {
      await("the outage's end").pollDelay(left).atMost(left.plusSeconds(60)).until(() -> true);
    }
    loss.giveBack().run();
    nodes.mark(node, "has its database again");
    awaitEnd();
  }

  private void awaitBacklog() {
    await("messages that wait")
        .atMost(Duration.ofSeconds(60))
        .until(() -> node.queues().get("SHIPPING"), depth -> depth > 10);
  }

  /** Waits until everybody can see it. */
  private void awaitAlert(boolean hangs) {
    await("the alert")
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              assertThat(log(BEGUN)).hasSize(alertsBefore + 1);
              assertThat(gauge()).isOne();
              assertThat(Http.status(node.server().base().resolve("/health/ready")))
                  .isIn(hangs ? List.of(503, 0) : List.of(503));
              assertThat(log(PAUSING)).hasSizeGreaterThan(pausesBefore);
            });
  }

  private void awaitPause() {
    await("endpoints that are paused")
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(pausedEndpoints())
                    .hasSize(LISTENERS)
                    .containsValue(true)
                    .doesNotContainValue(false));
  }

  private void awaitEnd() {
    await("the end of the outage")
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              assertThat(log(ENDED)).hasSize(alertsBefore + 1);
              assertThat(gauge()).isZero();
              assertThat(Http.status(node.server().base().resolve("/health/ready"))).isEqualTo(200);
              assertThat(pausedEndpoints()).hasSize(LISTENERS).doesNotContainValue(true);
            });
  }

  /**
   * Each delivery was handled once, and no attempt was charged to a handler or its message. For
   * what the relay makes of an outage, see the checker, which is asked before.
   *
   * @param alerts how many there should have been so far
   */
  static void assertHarmless(Nodes nodes, int alerts) throws SQLException {
    ServerProcess server = nodes.get(0).server();
    assertThat(server.lines(BEGUN)).as("alerts").hasSize(alerts);
    assertThat(server.lines(ENDED)).as("ends of alerts").hasSize(alerts);
    assertThat(server.lines("IBX0008 Attempt")) // has each cause once at least, unless it is said
        .as("failures that count")
        .filteredOn(line -> !line.contains(SILENT))
        .noneMatch(line -> line.contains("(FAILED)") || line.contains("(REJECTED)"));
    assertThat(server.lines("IBX0122"))
        .as("failures without a line of their own")
        .allMatch(line -> line.contains(" 0 of them have causes that were not logged"));
    try (Connection connection = nodes.database().connect();
        Statement statement = connection.createStatement()) {
      assertThat(
              count(
                  statement,
                  "SELECT COUNT(*) FROM inbox_stored WHERE status IN ('PARKED', 'QUARANTINED')"))
          .as("kept aside")
          .isZero();
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
    }
  }

  private List<String> log(String id) {
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
    MBeans mbeans = node.server().mbeans();
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
