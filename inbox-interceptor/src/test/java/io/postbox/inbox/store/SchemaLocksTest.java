package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.store.Dialect;
import io.postbox.common.store.TablesInUseException;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.TestDelivery;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A node that starts with create-tables=true beside a handler's transaction that takes its time. A
 * statement that waits for it has every delivery of every node wait behind itself.
 */
class SchemaLocksTest {
  private final InboxConfig config =
      TestConfig.shop(Map.of("create-tables", "true", "schema", "shop", "table-prefix", "pb_"));
  private final InboxStore messages = new InboxStore(Dialect.POSTGRESQL, config.tables());
  private String url;
  private Connection longOne;

  @BeforeEach
  void oneTransactionTakesItsTime() throws SQLException {
    url = TestDatabase.POSTGRESQL.freshUrl();
    execute("CREATE SCHEMA shop");
    startNode();
    longOne = TestDatabase.connect(url);
    longOne.setAutoCommit(false);
    receive(longOne, "long");
  }

  @AfterEach
  void close() throws SQLException {
    longOne.close();
  }

  @Test
  void aStartWaitsForNobodyWhereAllIsThere() {
    assertThatCode(this::startNode).doesNotThrowAnyException();
    assertThatCode(this::receiveElsewhere).doesNotThrowAnyException();
  }

  @Test
  void anIndexThatIsMissingIsMadeAsSoonAsItCanBeHadWithoutAWait() throws SQLException {
    longOne.rollback();
    execute("DROP INDEX shop.pb_inbox_message_processed_ix");
    receive(longOne, "long");

    assertThatThrownBy(this::startNode)
        .isInstanceOf(TablesInUseException.class)
        .hasMessageStartingWith(
            "pb_inbox_message_processed_ix cannot be created while other transactions use its table");
    assertThatCode(this::receiveElsewhere).doesNotThrowAnyException();

    longOne.commit();
    startNode();
    execute("DROP INDEX shop.pb_inbox_message_processed_ix");
  }

  @Test
  void aTransactionThatPreparesTheTablesForEverIsNotWaitedForEither() throws SQLException {
    try (Statement statement = longOne.createStatement()) {
      statement.execute(Dialect.POSTGRESQL.lockForCreation());
    }

    assertThatThrownBy(() -> startNodeWaiting(Duration.ofSeconds(1)))
        .isInstanceOf(TablesInUseException.class)
        .hasMessageStartingWith(
            "another node, or an abandoned session of one, is preparing tables");
  }

  private void startNode() throws SQLException {
    startNodeWaiting(Duration.ofSeconds(20));
  }

  private void startNodeWaiting(Duration forOthers) throws SQLException {
    try (Connection connection = TestDatabase.connect(url)) {
      limitStatements(connection);
      new Schema(
              Dialect.POSTGRESQL,
              config,
              Schema.scripts(Dialect.POSTGRESQL, Schema.class.getClassLoader()),
              forOthers)
          .prepare(connection);
    }
  }

  private void receiveElsewhere() throws SQLException {
    try (Connection connection = TestDatabase.connect(url)) {
      limitStatements(connection);
      receive(connection, "other");
    }
  }

  private void receive(Connection connection, String id) throws SQLException {
    assertThat(
            messages.insertIfAbsent(
                connection, TestDelivery.of(id).delivery(), id, Outcome.PROCESSED))
        .isTrue();
  }

  private static void limitStatements(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET statement_timeout = '10s'");
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
