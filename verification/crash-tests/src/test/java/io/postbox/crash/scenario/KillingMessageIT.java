package io.postbox.crash.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.crash.topology.Artemis;
import io.postbox.crash.topology.MessageBroker;
import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.crash.topology.Settings;
import io.postbox.testkit.database.PostgresDatabase;
import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.server.Rule;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A handler that halts the server, each time that it sees one message: with Artemis, which says of
 * a message that it was delivered before, and with Liberty's embedded messaging, which does not
 * after a crash.
 */
@Tag("crash")
class KillingMessageIT {
  private static final String HALT = "halt";
  private static final int KILLING_QUANTITY = 77;
  private static final int MAX_CRASHES = 2;

  /** A server that halts is back after 7 s at the earliest, and an attempt is unclear for 30 s. */
  private static final int MOST_UNCLEAR = 4;

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(12);

  private static final Duration LONGEST_STOP = Duration.ofSeconds(90);

  private int deaths;

  @ParameterizedTest
  @CsvSource({"embedded, false", "embedded, true", "artemis, false", "artemis, true"})
  void itIsParkedAndTheOthersAreHandled(String broker, boolean inOwnTransactions)
      throws SQLException {
    Settings settings = Settings.read();
    String name = "killing-message-%s-%s".formatted(broker, inOwnTransactions);
    try (Nodes nodes =
        Nodes.one(
            settings,
            name,
            new PostgresDatabase(settings.work().resolve(name + "-data")),
            broker.equals("artemis")
                ? Artemis.start(settings, settings.work().resolve(name + "-broker"))
                : MessageBroker.EMBEDDED,
            Map.of(
                "postbox.postgresql.type",
                "javax.sql.ConnectionPoolDataSource",
                "postbox.inbox.max-crashes",
                String.valueOf(MAX_CRASHES)))) {
      if (inOwnTransactions) {
        nodes.inOwnTransactions();
      }
      Node node = nodes.get(0);
      node.rules()
          .load(
              List.of(
                  new Rule(
                      HALT,
                      "io.postbox.sample.shipping.ShippingService",
                      "ship",
                      "AT ENTRY",
                      "$1.quantity() == " + KILLING_QUANTITY,
                      "Runtime.getRuntime().halt(%s)".formatted(Rule.EXIT))));
      node.rules().arm(HALT);
      nodes.start();
      List<Acknowledged> others = nodes.order(node, 20);
      orderTheKiller(node);

      await("parked").atMost(LONGEST).until(() -> isParkedOrStartedAgain(nodes, node));
      node.server().awaitReady();
      nodes.awaitShipped(others);

      assertThat(parked(nodes)).containsExactly("TOO_MANY_CRASHES");
      int unrecorded = broker.equals("embedded") ? 2 : 1; // one death is no sign of a killer
      assertThat(attempts(nodes))
          .as("attempts that the record has: each death's but the first ones', once it is clear")
          .isBetween(MAX_CRASHES, deaths - unrecorded);
      assertThat(deaths)
          .as("deaths: the first leave no record, and those of the last 30 s are not clear yet")
          .isBetween(MAX_CRASHES + unrecorded, MAX_CRASHES + unrecorded + MOST_UNCLEAR);
      await("the record is empty but for the dead")
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> column(nodes, "SELECT node FROM inbox_attempt").size() == deaths - unrecorded);
      stopInOrder(node);
      assertThat(column(nodes, "SELECT node FROM inbox_node"))
          .as("processes that have not ended in order")
          .hasSize(deaths);
    }
  }

  private static void stopInOrder(Node node) {
    node.server().terminate();
    assertThat(node.server().awaitExit(LONGEST_STOP)).isNotEqualTo(-1);
  }

  /** It may die before it has answered. */
  private static void orderTheKiller(Node node) {
    try {
      assertThat(node.sample().order("BOOK-1", KILLING_QUANTITY).statusCode()).isEqualTo(201);
    } catch (IOException noAnswer) {
      assertThat(node.server().awaitExit(Node.LONGEST_UNTIL_POINT)).isEqualTo(Rule.EXIT);
    }
  }

  private boolean isParkedOrStartedAgain(Nodes nodes, Node node) throws SQLException {
    if (!parked(nodes).isEmpty()) {
      return true;
    }
    int exit = node.server().awaitExit(LOOK_AGAIN);
    if (exit != -1) {
      assertThat(exit).isEqualTo(Rule.EXIT);
      deaths++;
      nodes.mark(node, "halted by the message");
      node.server().start();
    }
    return false;
  }

  private static int attempts(Nodes nodes) throws SQLException {
    return Integer.parseInt(column(nodes, "SELECT attempts FROM inbox_stored").get(0));
  }

  private static List<String> parked(Nodes nodes) throws SQLException {
    return column(nodes, "SELECT reason FROM inbox_stored WHERE status = 'PARKED'");
  }

  private static List<String> column(Nodes nodes, String sql) throws SQLException {
    try (Connection connection = nodes.database().connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<String> found = new ArrayList<>();
      while (row.next()) {
        found.add(row.getString(1));
      }
      return found;
    }
  }
}
