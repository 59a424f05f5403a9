package io.postbox.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Thirty seconds without the database, under load, with the broker's settings of liberty-config.
 */
class DatabaseOutageIT {
  private static final String CLOSED = "closed";

  /**
   * In one phase. With XA a kill in the middle of COMMIT PREPARED leaves the transaction prepared
   * and its message acknowledged: the driver says XAER_RMERR, which Liberty takes for final.
   */
  @Test
  void postgresIsKilledAndStartedAgain() throws SQLException {
    Map<String, String> onePhase =
        Map.of("postbox.postgresql.type", "javax.sql.ConnectionPoolDataSource");
    try (Nodes nodes = Nodes.onPostgres(Settings.read(), "outage-pg", 1, onePhase)) {
      PostgresDatabase database = (PostgresDatabase) nodes.database();
      Node node = nodes.get(0);
      node.rules().load(List.of(Outage.slowHandler()));
      nodes.start();
      Outage outage = new Outage(nodes);
      node.rules().arm("slow");
      try (Load load = nodes.load(node)) {
        load.awaitOrders(40);
        outage.awaitBacklog();
        database.kill();
        nodes.mark(node, "has no database");
        outage.awaitAlert();
        outage.last();
        database.start();
        nodes.mark(node, "has it again");
        outage.awaitEnd();
        load.awaitOrders(40);
      }
      nodes.awaitRest();
      nodes.awaitRest();
      nodes.assertNothingIsOpen();
      assertThat(outage.log("IBX0020")).as("alerts").hasSize(1);
      outage.assertHarmless();
      List<Violation> violations = nodes.check();
      assertThat(violations).as(() -> nodes.explain(violations)).isEmpty();
    }
  }

  /** As if somebody had closed the database under the server's feet. */
  @Test
  void h2IsClosedAndOpenedAgain() throws SQLException {
    try (Nodes nodes = Nodes.onH2(Settings.read(), "outage-h2", Map.of())) {
      Node node = nodes.get(0);
      node.rules()
          .load(
              List.of(
                  Outage.slowHandler(),
                  closed("JdbcPreparedStatement", "executeQuery"),
                  closed("JdbcPreparedStatement", "executeUpdate"),
                  closed("JdbcPreparedStatement", "execute"),
                  closed("JdbcConnection", "commit")));
      nodes.start();
      Outage outage = new Outage(nodes);
      node.rules().arm("slow");
      try (Load load = nodes.load(node)) {
        load.awaitOrders(40);
        outage.awaitBacklog();
        node.rules().arm(CLOSED);
        nodes.mark(node, "has no database");
        outage.awaitAlert();
        outage.last();
        node.rules().disarm(CLOSED);
        nodes.mark(node, "has it again");
        outage.awaitEnd();
        load.awaitOrders(40);
      }
      assertThat(outage.log("IBX0020")).as("alerts").hasSize(1);
      outage.assertHarmless();
    }
  }

  private static Rule closed(String type, String method) {
    return new Rule(
        CLOSED,
        "org.h2.jdbc." + type,
        method,
        "AT ENTRY",
        "TRUE",
        "throw new java.sql.SQLNonTransientConnectionException(\"closed\", \"90098\", 90098)");
  }
}
