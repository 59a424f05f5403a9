package io.postbox.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.store.Dialect;
import io.postbox.common.store.TablesInUseException;
import io.postbox.outbox.testing.Rows;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A node that starts with create-tables=true beside a transaction that has enqueued and takes its
 * time. A statement that waits for that one has every enqueue of every node wait behind itself.
 */
class SchemaLocksTest {
  private final DataSource dataSource = TestDatabase.POSTGRESQL.fresh();
  private final TestConfig config = TestConfig.DEFAULT.withTables("shop", "pb_");
  private final MessageStore messages = new MessageStore(Dialect.POSTGRESQL, config.tables());
  private final Rows rows = new Rows(dataSource, config.tables());
  private Connection longOne;

  @BeforeEach
  void oneTransactionTakesItsTime() throws SQLException {
    rows.execute("CREATE SCHEMA shop");
    startNode();
    longOne = dataSource.getConnection();
    longOne.setAutoCommit(false);
    enqueue(longOne);
  }

  @AfterEach
  void close() throws SQLException {
    longOne.close();
  }

  @Test
  void aStartWaitsForNobodyWhereAllIsThere() {
    assertThatCode(this::startNode).doesNotThrowAnyException();
    assertThatCode(this::enqueueElsewhere).doesNotThrowAnyException();
  }

  @Test
  void anIndexThatIsMissingIsMadeAsSoonAsItCanBeHadWithoutAWait() throws SQLException {
    longOne.rollback();
    rows.execute("DROP INDEX shop.pb_outbox_message_held_ix");
    enqueue(longOne);

    assertThatThrownBy(this::startNode)
        .isInstanceOf(TablesInUseException.class)
        .hasMessageStartingWith(
            "pb_outbox_message_held_ix cannot be created while other transactions use its table");
    assertThatCode(this::enqueueElsewhere).doesNotThrowAnyException();

    longOne.commit();
    startNode();
    rows.execute("DROP INDEX shop.pb_outbox_message_held_ix");
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
    try (Connection connection = dataSource.getConnection()) {
      limit(connection, "statement_timeout", "10s");
      new Schema(
              Dialect.POSTGRESQL,
              config.config(),
              Schema.scripts(Dialect.POSTGRESQL, Schema.class.getClassLoader()),
              forOthers)
          .prepare(connection);
    }
  }

  private void enqueueElsewhere() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      limit(connection, "statement_timeout", "5s");
      connection.setAutoCommit(false);
      enqueue(connection);
      connection.commit();
    }
  }

  private void enqueue(Connection connection) throws SQLException {
    assertThat(
            messages.insert(
                connection,
                StoreFixture.prepared(StoreFixture.text(UUID.randomUUID(), "d", null, "x"))))
        .isTrue();
  }

  private static void limit(Connection connection, String setting, String value)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET %s = '%s'".formatted(setting, value));
    }
  }
}
