package io.postbox.common.store;

import io.postbox.common.Paused;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A module's table of what operators have paused. Thread-safe. */
public class SwitchTable {
  private final Dialect dialect;
  private final String pause;
  private final String resume;
  private final String paused;

  /**
   * @param dialect the database's
   * @param table its qualified name
   * @param key the column with the name of what is paused
   */
  public SwitchTable(Dialect dialect, String table, String key) {
    this.dialect = dialect;
    pause =
        "INSERT INTO %s (%s, reason, principal) VALUES (?, ?, ?) %s"
            .formatted(table, key, dialect.onConflictDoNothing());
    resume = "DELETE FROM %s WHERE %s = ?".formatted(table, key);
    paused = "SELECT %2$s, reason, principal, since FROM %1$s ORDER BY %2$s".formatted(table, key);
  }

  /** Pauses a name; false if it is paused already, and the transaction is still usable. */
  public final boolean pause(Connection connection, String name, String principal, String reason)
      throws SQLException {
    return dialect.insertIfAbsent(connection, pause, name, reason, principal);
  }

  /** Resumes a name; false if it is not paused. */
  public final boolean resume(Connection connection, String name) throws SQLException {
    return Sql.update(connection, resume, name) == 1;
  }

  /** What is paused, by name. */
  public final List<Paused> paused(Connection connection) throws SQLException {
    return Sql.list(
        connection,
        paused,
        row ->
            new Paused(row.getString(1), row.getString(2), row.getString(3), Sql.instant(row, 4)));
  }
}
