package io.postbox.outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TestDatabaseTest {

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

  private static String first(TestDatabase database, String sql) throws SQLException {
    try (Connection connection = database.fresh().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
