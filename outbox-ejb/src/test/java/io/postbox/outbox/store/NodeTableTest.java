package io.postbox.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.store.NodeTable;
import io.postbox.common.store.NodeTable.Node;
import io.postbox.outbox.testing.PlanRecorder;
import io.postbox.outbox.testing.PlanRecorder.Execution;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NodeTableTest {
  private static final TableNames TABLES = TestConfig.DEFAULT.config().tables();
  private static final String USUAL = "x".repeat(300);
  private static final String LARGEST = "0123456789 \u00e9".repeat(30_000);

  private static DataSource prepared(TestDatabase database) throws SQLException {
    DataSource dataSource = database.fresh();
    try (Connection connection = dataSource.getConnection()) {
      new Schema(database.dialect(), TestConfig.DEFAULT.config()).prepare(connection);
    }
    return dataSource;
  }

  private static NodeTable table(TestDatabase database) {
    return new NodeTable(database.dialect(), TABLES.qualified("outbox_node"));
  }

  private static void beat(DataSource dataSource, NodeTable table, int node, String details)
      throws SQLException {
    new LocalTransactions(dataSource)
        .once(
            connection -> {
              table.beat(connection, node(node), Duration.ZERO, details);
              return true;
            });
  }

  private static Node node(int number) {
    return new Node("%s %s".formatted("n".repeat(90), number), "h".repeat(100), "v".repeat(50));
  }

  @ParameterizedTest
  @EnumSource
  void aRowIsKeptAsItIsAndTheLastRenewedAreListedFirst(TestDatabase database) throws SQLException {
    DataSource dataSource = prepared(database);
    NodeTable table = table(database);
    beat(dataSource, table, 1, LARGEST);
    beat(dataSource, table, 2, USUAL);
    beat(dataSource, table, 1, LARGEST + "!");
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(true);
      assertThat(table.list(connection))
          .extracting(NodeTable.Row::node, NodeTable.Row::details)
          .containsExactly(
              org.assertj.core.groups.Tuple.tuple(node(1), LARGEST + "!"),
              org.assertj.core.groups.Tuple.tuple(node(2), USUAL));
      table.leave(connection, node(1).name());
      table.leave(connection, node(1).name());
      assertThat(table.list(connection)).extracting(NodeTable.Row::node).containsExactly(node(2));
    }
  }

  @ParameterizedTest
  @EnumSource
  void noMoreThanAThousandAreListedTheLivingOnesFirst(TestDatabase database) throws SQLException {
    DataSource dataSource = prepared(database);
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(true);
      fill(connection, database.dialect(), 1_500);
      NodeTable table = table(database);
      table.beat(connection, node(0), Duration.ofHours(4), USUAL); // replaced nobody

      List<NodeTable.Row> rows = table.list(connection);
      assertThat(rows).hasSize(NodeTable.MOST);
      assertThat(rows.get(0).node()).isEqualTo(node(0));
      assertThat(rows).filteredOn(NodeTable.Row::isAlive).hasSize(1);
      assertThat(table.forget(connection, Duration.ofHours(1))).isEqualTo(1_500);
      assertThat(table.list(connection)).hasSize(1);
    }
  }

  private static void fill(Connection connection, Dialect dialect, int nodes) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          INSERT INTO outbox_node (node, host, version, details, started_at, alive_at)
          SELECT 'dead ' || x, 'h', 'v', '%s', CURRENT_TIMESTAMP - INTERVAL '3' HOUR,
            CURRENT_TIMESTAMP - INTERVAL '2' HOUR FROM %s(1, %s) x
          """
              .formatted(USUAL, dialect == Dialect.H2 ? "SYSTEM_RANGE" : "generate_series", nodes));
    }
  }

  /** Also among a thousand nodes, whose every pod was killed, and while nobody vacuums. */
  @Test
  void onPostgresqlAHeartbeatTouchesAFewPagesAndNoIndex() throws SQLException {
    DataSource dataSource = prepared(TestDatabase.POSTGRESQL);
    NodeTable table = table(TestDatabase.POSTGRESQL);
    beat(dataSource, table, 1, USUAL);
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(true);
      statement.execute("ALTER TABLE outbox_node SET (autovacuum_enabled = off)");
      fill(connection, Dialect.POSTGRESQL, 1_000);
      statement.execute("ANALYZE outbox_node");
    }
    for (int i = 0; i < 1_000; i++) {
      assertThat(updatesWithIndex(dataSource, table)).as("heartbeat %s", i).isZero();
    }
    PlanRecorder recorder = new PlanRecorder(dataSource, "");
    beat(recorder.dataSource(), table, 1, USUAL);

    assertThat(recorder.take()).singleElement().satisfies(NodeTableTest::assertQuick);
  }

  private static void assertQuick(Execution execution) {
    assertThat(execution.steps())
        .containsExactly("ModifyTable outbox_node", "Index Scan outbox_node outbox_node_pk");
    assertThat(execution.pages()).as("pages of %s", execution).isLessThan(20);
  }

  /** How many updates made a new entry in the index, since the session last told its numbers. */
  private static long updatesWithIndex(DataSource dataSource, NodeTable table) throws SQLException {
    return new LocalTransactions(dataSource)
        .once(
            connection -> {
              table.beat(connection, node(1), Duration.ZERO, USUAL);
              try (PreparedStatement statement =
                      connection.prepareStatement(
                          """
                          SELECT pg_stat_get_xact_tuples_updated(oid),
                                 pg_stat_get_xact_tuples_hot_updated(oid)
                          FROM pg_class WHERE relname = 'outbox_node'
                          """);
                  ResultSet row = statement.executeQuery()) {
                row.next();
                assertThat(row.getLong(1)).as("updates").isPositive();
                return row.getLong(1) - row.getLong(2);
              }
            });
  }
}
