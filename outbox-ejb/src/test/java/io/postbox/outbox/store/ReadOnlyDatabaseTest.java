package io.postbox.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.enqueue.Enqueuer;
import io.postbox.outbox.testing.Rows;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One that answers every question, and takes nothing. */
class ReadOnlyDatabaseTest {
  private final TestConfig config = TestConfig.DEFAULT.withTables("shop", "pb_");

  @Test
  void postgresqlThatTakesNoWritesDoesNotPass() throws SQLException {
    DataSource dataSource =
        prepared(Dialect.POSTGRESQL, TestDatabase.POSTGRESQL.freshWithoutPool());
    ping(Dialect.POSTGRESQL, dataSource);
    // as managed services do when the disk is full; a standby says the same
    execute(
        dataSource,
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on',"
            + " current_database()); END $$");

    assertThatThrownBy(() -> ping(Dialect.POSTGRESQL, dataSource))
        .isInstanceOfSatisfying(
            SQLException.class, refused -> assertThat(Dialect.isReadOnly(refused)).isTrue());
    assertThatThrownBy(() -> enqueue(Dialect.POSTGRESQL, dataSource))
        .hasMessageStartingWith(
            "The database is read-only at the moment (a standby after a failover, a full disk, or"
                + " default_transaction_read_only) and refused [")
        .hasMessageContaining("cannot execute INSERT in a read-only transaction")
        .hasMessageEndingWith("The transaction has to roll back.");
  }

  @Test
  void h2ThatTakesNoWritesDoesNotPass(@TempDir Path folder) throws SQLException {
    JdbcDataSource writable = new JdbcDataSource();
    writable.setURL("jdbc:h2:file:" + folder.resolve("db"));
    ping(Dialect.H2, prepared(Dialect.H2, writable));
    JdbcDataSource readOnly = new JdbcDataSource();
    readOnly.setURL(writable.getURL() + ";ACCESS_MODE_DATA=r");

    assertThatThrownBy(() -> ping(Dialect.H2, readOnly))
        .isInstanceOfSatisfying(
            SQLException.class, refused -> assertThat(Dialect.isReadOnly(refused)).isTrue());
    assertThatThrownBy(() -> enqueue(Dialect.H2, readOnly))
        .hasMessageStartingWith("The database is read-only at the moment");
  }

  /** A new version of the row, every second, would have to be cleaned up by somebody. */
  @Test
  void onPostgresqlItWritesToTheLogAndMakesNoNewVersionOfTheRow() throws SQLException {
    DataSource dataSource =
        prepared(Dialect.POSTGRESQL, TestDatabase.POSTGRESQL.freshWithoutPool());
    String row = "SELECT ctid || ' ' || xmin FROM shop.pb_postbox_schema";
    String lock = "SELECT xmax FROM shop.pb_postbox_schema";
    String before = read(dataSource, row);
    assertThat(read(dataSource, lock)).isEqualTo("0");

    ping(Dialect.POSTGRESQL, dataSource);
    String first = read(dataSource, lock);
    ping(Dialect.POSTGRESQL, dataSource);

    assertThat(first).as("a transaction with a number, whose commit was flushed").isNotEqualTo("0");
    assertThat(read(dataSource, lock)).isNotEqualTo(first);
    assertThat(read(dataSource, row)).isEqualTo(before);
  }

  @Test
  void aLockOnTheRowKeepsNobodyWaiting() throws SQLException {
    DataSource dataSource =
        prepared(Dialect.POSTGRESQL, TestDatabase.POSTGRESQL.freshWithoutPool());
    try (Connection other = dataSource.getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("UPDATE shop.pb_postbox_schema SET partitions = 32");

      assertThatCode(() -> ping(Dialect.POSTGRESQL, dataSource)).doesNotThrowAnyException();
    }
  }

  private DataSource prepared(Dialect dialect, DataSource dataSource) throws SQLException {
    new Rows(dataSource, config.tables()).execute("CREATE SCHEMA shop");
    try (Connection connection = dataSource.getConnection()) {
      new Schema(dialect, config.config()).prepare(connection);
    }
    return dataSource;
  }

  private void ping(Dialect dialect, DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement limit = connection.createStatement()) {
      if (dialect == Dialect.POSTGRESQL) {
        limit.execute("SET statement_timeout = '10s'");
      }
      Sql.execute(
          connection, dialect.tryToWrite(config.tables().qualified("postbox_schema"), "outbox"));
    }
  }

  private void enqueue(Dialect dialect, DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        new MessageStore(dialect, config.tables())
            .insert(
                connection,
                StoreFixture.prepared(StoreFixture.text(UUID.randomUUID(), "d", null, "x")));
      } catch (SQLException failed) {
        throw Enqueuer.refused(List.of(OutboxMessage.to("d").text("x")), failed);
      } finally {
        connection.rollback();
      }
    }
  }

  private static void execute(DataSource dataSource, String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String read(DataSource dataSource, String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
