package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.NodeTable.Node;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Heartbeat;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class NodeStoreTest {
  private static final TableNames TABLES = new TableNames("", "");
  private static final Duration MOMENT = Duration.ofMinutes(5);

  @Parameter TestDatabase database;
  private Connection connection;
  private NodeStore store;

  @BeforeEach
  void makeTheTables() throws SQLException {
    connection = TestDatabase.connect(database.freshUrl());
    Dialect dialect = Dialect.of(connection, "inbox");
    new Schema(dialect, TestConfig.of("shop", TABLES, true)).prepare(connection);
    connection.setAutoCommit(true);
    store = new NodeStore(dialect, TABLES);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void aProcessSeesTheOthersUntilTheyLeave() throws SQLException {
    beat("a");
    beat("b");
    beat("B");
    beat("a");

    assertThat(others("a")).containsOnlyKeys("b", "B");
    assertThat(others("b")).containsOnlyKeys("a", "B");
    store.leave(connection, "a");
    assertThat(others("b")).containsOnlyKeys("B");
    store.leave(connection, "a");
  }

  @Test
  void itsSilenceIsThatSinceItsLastHeartbeatByTheDatabasesClock() throws SQLException {
    beat("a");
    beat("b");
    age();
    assertThat(others("c").get("a"))
        .isBetween(Duration.ofHours(1), Duration.ofHours(1).plus(MOMENT));

    beat("a");

    assertThat(others("c").get("a")).isBetween(Duration.ZERO, MOMENT);
    assertThat(others("c").get("b")).isGreaterThanOrEqualTo(Duration.ofHours(1));
  }

  @Test
  void aNodeSilentForLongIsForgottenAndOnRecordAgainWhenBack() throws SQLException {
    beat("a");
    age();
    beat("b");

    store.forget(connection, Duration.ofDays(1));
    assertThat(others("c")).containsOnlyKeys("a", "b");
    store.forget(connection, Duration.ofMinutes(50));
    assertThat(others("c")).containsOnlyKeys("b");
    beat("a");

    assertThat(others("c").get("a")).isLessThan(MOMENT);
  }

  private void beat(String node) throws SQLException {
    store.beat(connection, new Node(node, "host", "0.1"), Duration.ZERO, "x".repeat(300));
  }

  private Map<String, Duration> others(String node) throws SQLException {
    return store.others(connection, node).stream()
        .collect(Collectors.toMap(Heartbeat::node, Heartbeat::silentFor));
  }

  private void age() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("UPDATE inbox_node SET alive_at = alive_at - INTERVAL '1' HOUR");
    }
  }
}
