package io.postbox.outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TestDatabaseTest {
  private static final String NUMBER =
      "SELECT oid FROM pg_database WHERE datname = current_database()";
  private static final String SCHEMAS =
      """
      SELECT string_agg(nspname || ' ' || pg_get_userbyid(nspowner), ', ') FROM pg_namespace
      WHERE nspname !~ '^(pg_|information_schema$)'
      """;

  /** The embedded server's own defaults switch off what else makes a commit durable. */
  @ParameterizedTest
  @CsvSource({
    "fsync, off",
    "synchronous_commit, on",
    "full_page_writes, on",
    "lc_messages, C",
    "transaction_isolation, read committed"
  })
  void postgresqlHasTheSettingsOfProduction(String setting, String value) throws SQLException {
    assertThat(first(TestDatabase.POSTGRESQL, "SHOW " + setting)).isEqualTo(value);
  }

  @Test
  void h2IsTheVersionThatLosesNothing() throws SQLException {
    assertThat(first(TestDatabase.H2, "SELECT H2VERSION()")).isEqualTo("2.4.240");
  }

  @Test
  void aLaterTestSeesNothingOfAnEarlierOneInTheSameDatabase() throws SQLException {
    TestDatabase.POSTGRESQL.fresh();
    TestDatabase.POSTGRESQL.fresh();
    TestDatabase.takeBack(); // so that there are others, as after a test with two

    DataSource earlier = TestDatabase.POSTGRESQL.fresh();
    String number = first(earlier, NUMBER);
    try (Connection forgotten = earlier.getConnection();
        Statement statement = forgotten.createStatement()) {
      statement.execute("CREATE SCHEMA shop");
      statement.execute("CREATE TABLE shop.orders (id BIGINT)");
      statement.execute("CREATE TABLE orders (id BIGINT)");
      TestDatabase.takeBack();

      DataSource later = TestDatabase.POSTGRESQL.fresh();
      assertThat(first(later, NUMBER)).isEqualTo(number);
      assertThat(first(later, SCHEMAS)).isEqualTo("public pg_database_owner");
      assertThat(first(later, "SELECT COUNT(*) FROM pg_class WHERE relname = 'orders'"))
          .isEqualTo("0");
    }
    assertThatThrownBy(earlier::getConnection).hasMessageContaining("does not exist");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET work_mem = 64', current_database()); END $$",
        "CREATE PUBLICATION news",
        "SELECT lo_create(0)"
      })
  void aDatabaseInWhichMoreIsChangedThanSchemasGoesToNobodyElse(String change) throws SQLException {
    DataSource earlier = TestDatabase.POSTGRESQL.fresh();
    String number = first(earlier, NUMBER);
    try (Connection connection = earlier.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(change);
    }
    TestDatabase.takeBack();

    DataSource later = TestDatabase.POSTGRESQL.fresh();
    assertThat(first(later, "SELECT COUNT(*) FROM pg_database WHERE oid = " + number))
        .isEqualTo("0");
  }

  private static String first(TestDatabase database, String sql) throws SQLException {
    return first(database.fresh(), sql);
  }

  private static String first(DataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
