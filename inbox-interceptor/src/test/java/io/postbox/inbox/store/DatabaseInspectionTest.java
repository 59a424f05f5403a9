package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.DatabaseFacts;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.config.TestConfig;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DatabaseInspectionTest {
  private static final TableNames APART = new TableNames("shop", "pb_");
  private static final TableNames PLAIN = new TableNames("", "");

  @ParameterizedTest
  @EnumSource
  void tablesThatTheScriptMadeLackNothing(TestDatabase database) throws SQLException {
    for (TableNames tables : List.of(APART, PLAIN)) {
      try (Connection connection = TestDatabase.connect(database.freshUrl())) {
        make(connection, tables);

        DatabaseFacts facts = facts(connection, tables);

        assertThat(facts.missingKeys()).isEmpty();
        assertThat(facts.missingIndexes()).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void missingKeysAndIndexesAreNamedUnlessOthersDo(TestDatabase database) throws SQLException {
    try (Connection connection = TestDatabase.connect(database.freshUrl())) {
      make(connection, PLAIN);
      execute(connection, "ALTER TABLE inbox_message DROP CONSTRAINT inbox_message_pk");
      execute(connection, "DROP INDEX inbox_failure_message_ix");
      assertThat(facts(connection, PLAIN).missingKeys()).containsExactly("inbox_message_pk");
      assertThat(facts(connection, PLAIN).missingIndexes())
          .containsExactly("inbox_failure_message_ix");

      execute(connection, "CREATE INDEX slow ON inbox_message (consumer, message_id)");
      assertThat(facts(connection, PLAIN).missingKeys())
          .as("an index that lets a row in twice")
          .containsExactly("inbox_message_pk");

      execute(connection, "CREATE UNIQUE INDEX mine ON inbox_message (message_id, consumer)");
      execute(connection, "CREATE INDEX wide ON inbox_failure (consumer, message_id, id, attempt)");
      assertThat(facts(connection, PLAIN).missingKeys()).isEmpty();
      assertThat(facts(connection, PLAIN).missingIndexes()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void ofTablesThatAreNotThereNothingIsSaid(TestDatabase database) throws SQLException {
    try (Connection connection = TestDatabase.connect(database.freshUrl())) {
      DatabaseFacts facts = facts(connection, APART);

      assertThat(facts.missingKeys()).isEmpty();
      assertThat(facts.missingIndexes()).isEmpty();
      assertThat(facts.version()).startsWith(database == TestDatabase.H2 ? "2.4.240" : "18.");
    }
  }

  @Test
  void postgresTellsItsSettings() throws SQLException {
    try (Connection connection = TestDatabase.connect(TestDatabase.POSTGRESQL.freshUrl())) {
      DatabaseFacts facts = facts(connection, PLAIN);

      assertThat(facts.setting("fsync")).contains("off");
      assertThat(facts.setting("full_page_writes")).contains("on");
      assertThat(facts.setting("synchronous_commit")).contains("on");
      assertThat(facts.number("max_prepared_transactions")).isPresent();
      assertThat(facts.number("server_version_num").orElse(0L)).isGreaterThan(180_000);
    }
  }

  @Test
  void h2TellsItsWriteDelay(@TempDir Path folder) throws SQLException {
    for (String delay : List.of("0", "500")) {
      String url = "jdbc:h2:file:%s/%s;WRITE_DELAY=%s".formatted(folder, "w" + delay, delay);
      try (Connection connection = DriverManager.getConnection(url)) {
        assertThat(facts(connection, PLAIN).setting("WRITE_DELAY")).contains(delay);
        assertThat(facts(connection, PLAIN).url()).startsWith("jdbc:h2:file:");
      }
    }
  }

  private static void make(Connection connection, TableNames tables) throws SQLException {
    if (!tables.schema().isEmpty()) {
      execute(connection, "CREATE SCHEMA " + tables.schema());
    }
    new Schema(Dialect.of(connection, "inbox"), TestConfig.of("shop", tables, true))
        .prepare(connection);
  }

  private static DatabaseFacts facts(Connection connection, TableNames tables) throws SQLException {
    return Schema.inspection(Dialect.of(connection, "inbox"), tables).facts(connection);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
    connection.setAutoCommit(autoCommit);
  }
}
