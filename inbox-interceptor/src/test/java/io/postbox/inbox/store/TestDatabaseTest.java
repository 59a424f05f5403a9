package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TestDatabaseTest {
  private static final String NUMBER =
      "SELECT oid FROM pg_database WHERE datname = current_database()";
  private static final String SCHEMAS =
      """
      SELECT string_agg(nspname || ' ' || pg_get_userbyid(nspowner), ', ') FROM pg_namespace
      WHERE nspname !~ '^(pg_|information_schema$)'
      """;

  @Test
  void aLaterTestSeesNothingOfAnEarlierOneInTheSameDatabase() throws SQLException {
    String earlier = TestDatabase.POSTGRESQL.freshUrl();
    String number = first(earlier, NUMBER);
    try (Connection forgotten = TestDatabase.connect(earlier);
        Statement statement = forgotten.createStatement()) {
      statement.execute("CREATE SCHEMA shop");
      statement.execute("CREATE TABLE shop.orders (id BIGINT)");
      statement.execute("CREATE TABLE orders (id BIGINT)");
      TestDatabase.takeBack();

      String later = TestDatabase.POSTGRESQL.freshUrl();
      assertThat(first(later, NUMBER)).isEqualTo(number);
      assertThat(first(later, SCHEMAS)).isEqualTo("public pg_database_owner");
      assertThat(first(later, "SELECT COUNT(*) FROM pg_class WHERE relname = 'orders'"))
          .isEqualTo("0");
    }
    assertThatThrownBy(() -> TestDatabase.connect(earlier)).hasMessageContaining("does not exist");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET work_mem = 64', current_database()); END $$",
        "CREATE PUBLICATION news",
        "SELECT lo_create(0)"
      })
  void aDatabaseInWhichMoreIsChangedThanSchemasGoesToNobodyElse(String change) throws SQLException {
    String earlier = TestDatabase.POSTGRESQL.freshUrl();
    String number = first(earlier, NUMBER);
    try (Connection connection = TestDatabase.connect(earlier);
        Statement statement = connection.createStatement()) {
      statement.execute(change);
    }
    TestDatabase.takeBack();

    String later = TestDatabase.POSTGRESQL.freshUrl();
    assertThat(first(later, "SELECT COUNT(*) FROM pg_database WHERE oid = " + number))
        .isEqualTo("0");
  }

  private static String first(String url, String sql) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
