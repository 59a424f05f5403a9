package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.CaptureControl.Paused;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/** The paused consumers. Thread-safe. */
public final class CaptureSwitchStore {
  private final Dialect dialect;
  private final String pause;
  private final String resume;
  private final String paused;
  private final ConsumerNames remembered;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public CaptureSwitchStore(Dialect dialect, TableNames tables) {
    this.dialect = dialect;
    remembered = ConsumerNames.ofMessages(dialect, tables);
    String table = tables.qualified("inbox_switch");
    pause =
        "INSERT INTO %s (consumer, reason, principal) VALUES (?, ?, ?) %s"
            .formatted(table, dialect.onConflictDoNothing());
    resume = "DELETE FROM %s WHERE consumer = ?".formatted(table);
    paused = "SELECT consumer, reason, principal, since FROM %s ORDER BY consumer".formatted(table);
  }

  /** Pauses a consumer; false if it is paused already, and the transaction is still usable. */
  public boolean pause(Connection connection, String consumer, String principal, String reason)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(pause)) {
      statement.setString(1, consumer);
      statement.setString(2, reason);
      statement.setString(3, principal);
      return dialect.insertIfAbsent(statement);
    }
  }

  /** Resumes a consumer; false if it is not paused. */
  public boolean resume(Connection connection, String consumer) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(resume)) {
      statement.setString(1, consumer);
      return statement.executeUpdate() == 1;
    }
  }

  /** Whether the inbox has ids of a consumer's messages. */
  public boolean isRemembered(Connection connection, String consumer) throws SQLException {
    return remembered.read(connection).contains(consumer);
  }

  /** The paused consumers, by name. */
  public List<Paused> paused(Connection connection) throws SQLException {
    List<Paused> found = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(paused);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        found.add(
            new Paused(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getObject(4, OffsetDateTime.class).toInstant()));
      }
    }
    return found;
  }
}
