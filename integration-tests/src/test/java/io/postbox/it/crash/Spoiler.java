package io.postbox.it.crash;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** What a seeded bug does in the server that a rule cannot say. */
public final class Spoiler {
  private Spoiler() {}

  /** Lets PostgreSQL refuse a statement, which ends the transaction for every further one. */
  public static void abort(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT 1 FROM inbox_message, no_such_table");
    } catch (SQLException refused) {
      if (!"42P01".equals(refused.getSQLState())) {
        throw refused;
      }
    }
  }
}
