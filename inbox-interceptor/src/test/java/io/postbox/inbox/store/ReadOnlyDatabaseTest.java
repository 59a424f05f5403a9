package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.TestConfig;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One that answers every question, and takes nothing. */
class ReadOnlyDatabaseTest {
  private final InboxConfig config =
      TestConfig.shop(Map.of("create-tables", "true", "schema", "shop", "table-prefix", "pb_"));

  @Test
  void postgresqlThatTakesNoWritesDoesNotPass() throws SQLException {
    String url = prepared(TestDatabase.POSTGRESQL.freshUrl());
    ping(url);
    // as managed services do when the disk is full; a standby says the same
    execute(
        url,
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on',"
            + " current_database()); END $$");

    assertRefusedAsReadOnly(url);
  }

  @Test
  void h2ThatTakesNoWritesDoesNotPass(@TempDir Path folder) throws SQLException {
    String url = prepared("jdbc:h2:file:" + folder.resolve("db"));
    ping(url);

    assertRefusedAsReadOnly(url + ";ACCESS_MODE_DATA=r");
  }

  private void assertRefusedAsReadOnly(String url) {
    assertThatThrownBy(() -> ping(url))
        .isInstanceOfSatisfying(
            SQLException.class, refused -> assertThat(Dialect.isReadOnly(refused)).isTrue());
  }

  /** A new version of the row, every second, would have to be cleaned up by somebody. */
  @Test
  void onPostgresqlItWritesToTheLogAndMakesNoNewVersionOfTheRow() throws SQLException {
    String url = prepared(TestDatabase.POSTGRESQL.freshUrl());
    String row = "SELECT ctid || ' ' || xmin FROM shop.pb_postbox_schema";
    String lock = "SELECT xmax FROM shop.pb_postbox_schema";
    String before = read(url, row);
    assertThat(read(url, lock)).isEqualTo("0");

    ping(url);
    String first = read(url, lock);
    ping(url);

    assertThat(first).as("a transaction with a number, whose commit was flushed").isNotEqualTo("0");
    assertThat(read(url, lock)).isNotEqualTo(first);
    assertThat(read(url, row)).isEqualTo(before);
  }

  @Test
  void aLockOnTheRowKeepsNobodyWaiting() throws SQLException {
    String url = prepared(TestDatabase.POSTGRESQL.freshUrl());
    try (Connection other = TestDatabase.connectWithoutPool(url);
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("UPDATE shop.pb_postbox_schema SET service = 'shop'");

      assertThatCode(() -> ping(url)).doesNotThrowAnyException();
    }
  }

  private String prepared(String url) throws SQLException {
    execute(url, "CREATE SCHEMA shop");
    try (Connection connection = TestDatabase.connectWithoutPool(url)) {
      new Schema(Dialect.of(connection, "inbox"), config).prepare(connection);
    }
    return url;
  }

  private void ping(String url) throws SQLException {
    try (Connection connection = TestDatabase.connectWithoutPool(url);
        Statement limit = connection.createStatement()) {
      Dialect dialect = Dialect.of(connection, "inbox");
      if (dialect == Dialect.POSTGRESQL) {
        limit.execute("SET statement_timeout = '10s'");
      }
      Sql.execute(
          connection, dialect.tryToWrite(config.tables().qualified("postbox_schema"), "inbox"));
    }
  }

  private static void execute(String url, String sql) throws SQLException {
    try (Connection connection = TestDatabase.connectWithoutPool(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String read(String url, String sql) throws SQLException {
    try (Connection connection = TestDatabase.connectWithoutPool(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
