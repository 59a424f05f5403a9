package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.RelayControl.Paused;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/** The paused destinations, and whether any message waits. Thread-safe. */
public final class SwitchStore {
  private static final String UNIQUE_VIOLATION = "23505";

  private final String pause;
  private final String resume;
  private final String paused;
  private final String isAnyWaiting;
  private final String isAnyWaitingFor;
  private final String isAnyDeadFor;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public SwitchStore(Dialect dialect, TableNames tables) {
    String paused = tables.qualified("outbox_switch");
    String message = tables.qualified("outbox_message");
    pause =
        "INSERT INTO %s (destination, reason, principal) VALUES (?, ?, ?) %s"
            .formatted(paused, new OutboxDialect(dialect).unlessThere("destination"));
    resume = "DELETE FROM %s WHERE destination = ?".formatted(paused);
    this.paused =
        "SELECT destination, reason, principal, since FROM %s ORDER BY destination"
            .formatted(paused);
    isAnyWaiting =
        """
        SELECT CASE WHEN EXISTS (SELECT 1 FROM %1$s WHERE status = 'PENDING')
          OR EXISTS (SELECT 1 FROM %1$s WHERE status = 'HELD')
          OR EXISTS (SELECT 1 FROM %1$s WHERE status = 'DELAYED') THEN 1 ELSE 0 END
        """
            .formatted(message);
    // By partition, because the indexes begin with it.
    isAnyWaitingFor =
        """
        SELECT CASE WHEN EXISTS (
            SELECT 1 FROM %2$s p WHERE EXISTS (
              SELECT 1 FROM %1$s m WHERE m.status = 'PENDING'
                AND m.partition_no = p.partition_no AND m.destination = ?))
          OR EXISTS (
            SELECT 1 FROM %2$s p WHERE EXISTS (
              SELECT 1 FROM %1$s m WHERE m.status = 'HELD'
                AND m.partition_no = p.partition_no AND m.destination = ?))
          OR EXISTS (SELECT 1 FROM %1$s m WHERE m.status = 'DELAYED' AND m.destination = ?)
          THEN 1 ELSE 0 END
        """
            .formatted(message, tables.qualified("outbox_partition"));
    isAnyDeadFor =
        """
        SELECT CASE WHEN EXISTS (
          SELECT 1 FROM %s m WHERE m.status = 'DEAD' AND m.destination = ?) THEN 1 ELSE 0 END
        """
            .formatted(message);
  }

  /** Pauses a destination; false if it is paused already, and the transaction is still usable. */
  public boolean pause(Connection connection, String destination, String principal, String reason)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(pause)) {
      statement.setString(1, destination);
      statement.setString(2, reason);
      statement.setString(3, principal);
      return statement.executeUpdate() == 1;
    } catch (SQLException refused) {
      if (UNIQUE_VIOLATION.equals(refused.getSQLState())) {
        return false; // H2 has no insert-if-absent, but the transaction stays usable
      }
      throw refused;
    }
  }

  /** Resumes a destination; false if it is not paused. */
  public boolean resume(Connection connection, String destination) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(resume)) {
      statement.setString(1, destination);
      return statement.executeUpdate() == 1;
    }
  }

  /** The paused destinations, by name. */
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

  /** Whether any message is still to be sent. */
  public boolean isAnyWaiting(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(isAnyWaiting)) {
      return isOne(statement);
    }
  }

  /** Whether any message to a destination is still to be sent. */
  public boolean isAnyWaiting(Connection connection, String destination) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(isAnyWaitingFor)) {
      for (int i = 1; i <= 3; i++) {
        statement.setString(i, destination);
      }
      return isOne(statement);
    }
  }

  /** Whether any message to a destination is a dead letter. */
  public boolean isAnyDead(Connection connection, String destination) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(isAnyDeadFor)) {
      statement.setString(1, destination);
      return isOne(statement);
    }
  }

  private static boolean isOne(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getInt(1) == 1;
    }
  }
}
