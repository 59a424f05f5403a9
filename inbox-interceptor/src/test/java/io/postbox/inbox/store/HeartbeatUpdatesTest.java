package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.NodeTable.Node;
import io.postbox.inbox.config.TestConfig;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The work that a node's heartbeats leave for a vacuum, on PostgreSQL. */
class HeartbeatUpdatesTest {
  private static final TableNames TABLES = new TableNames("", "");

  @Test
  void noHeartbeatMakesAnEntryInTheIndexAlsoWhileNobodyVacuums() throws SQLException {
    try (Connection connection = TestDatabase.connect(TestDatabase.POSTGRESQL.freshUrl());
        Statement statement = connection.createStatement()) {
      new Schema(Dialect.POSTGRESQL, TestConfig.of("shop", TABLES, true)).prepare(connection);
      connection.setAutoCommit(true);
      NodeStore store = new NodeStore(Dialect.POSTGRESQL, TABLES);
      beat(store, connection);
      statement.execute("ALTER TABLE inbox_node SET (autovacuum_enabled = off)");
      statement.execute(
          """
          INSERT INTO inbox_node (node, host, version, details)
          SELECT 'dead ' || x, 'h', 'v', repeat('x', 300) FROM generate_series(1, 1000) x
          """);
      connection.setAutoCommit(false);
      for (int i = 0; i < 1_000; i++) {
        beat(store, connection);
        assertThat(updatesWithIndex(statement)).as("heartbeat %s", i).isZero();
        connection.commit();
      }
    }
  }

  private static void beat(NodeStore store, Connection connection) throws SQLException {
    store.beat(connection, new Node("a", "host", "0.1"), Duration.ZERO, "x".repeat(300));
  }

  /** How many updates made a new entry in the index, since the session last told its numbers. */
  private static long updatesWithIndex(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            """
            SELECT pg_stat_get_xact_tuples_updated(oid), pg_stat_get_xact_tuples_hot_updated(oid)
            FROM pg_class WHERE relname = 'inbox_node'
            """)) {
      row.next();
      assertThat(row.getLong(1)).as("updates").isPositive();
      return row.getLong(1) - row.getLong(2);
    }
  }
}
