package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import io.postbox.inbox.message.Crashes.Unended;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** The unended attempts. Thread-safe. */
public final class AttemptStore {
  private final String left;
  private final String insert;
  private final String renew;
  private final String delete;
  private final String deleteAll;
  private final String forget;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public AttemptStore(Dialect dialect, TableNames tables) {
    String table = tables.qualified("inbox_attempt");
    left =
        "SELECT node, alone, alive_at, %s FROM %s WHERE consumer = ? AND message_id = ?"
            .formatted(dialect.now(), table);
    insert =
        "INSERT INTO %s (consumer, message_id, node, alone) VALUES (?, ?, ?, ?)".formatted(table);
    renew =
        "UPDATE %s m SET alive_at = %s WHERE %s".formatted(table, dialect.now(), KeptIds.CONDITION);
    delete = "DELETE FROM %s m WHERE %s".formatted(table, KeptIds.CONDITION);
    deleteAll = "DELETE FROM %s WHERE consumer = ? AND message_id = ?".formatted(table);
    forget =
        "DELETE FROM %s WHERE alive_at < %s - CAST(? AS BIGINT) * INTERVAL '1' SECOND"
            .formatted(table, dialect.now());
  }

  /** The unended attempts at a message. */
  public List<Unended> left(Connection connection, String consumer, String messageId)
      throws SQLException {
    return Sql.list(
        connection,
        left,
        row ->
            new Unended(
                row.getString(1),
                row.getBoolean(2),
                Duration.between(Sql.instant(row, 3), Sql.instant(row, 4))),
        consumer,
        messageId);
  }

  /**
   * Inserts an attempt.
   *
   * @return its row
   */
  public long insert(
      Connection connection, String consumer, String messageId, String node, boolean alone)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(insert, new String[] {"id"})) {
      statement.setString(1, consumer);
      statement.setString(2, messageId);
      statement.setString(3, node);
      statement.setBoolean(4, alone);
      statement.executeUpdate();
      try (ResultSet row = statement.getGeneratedKeys()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  /**
   * Renews running attempts.
   *
   * @param rows not empty
   */
  public void renew(Connection connection, Collection<Long> rows) throws SQLException {
    update(connection, renew, rows);
  }

  /**
   * Deletes ended attempts.
   *
   * @param rows not empty
   */
  public void delete(Connection connection, Collection<Long> rows) throws SQLException {
    update(connection, delete, rows);
  }

  /** With the parameters of {@link KeptIds#CONDITION}. */
  private static void update(Connection connection, String sql, Collection<Long> rows)
      throws SQLException {
    Sql.update(connection, sql, KeptIds.values(rows));
  }

  /** Deletes all attempts at a message. */
  public void deleteAll(Connection connection, String consumer, String messageId)
      throws SQLException {
    Sql.update(connection, deleteAll, consumer, messageId);
  }

  /**
   * Deletes attempts that were not renewed for this long: their messages are no longer redelivered.
   */
  public void forget(Connection connection, Duration silentFor) throws SQLException {
    Sql.update(connection, forget, silentFor.toSeconds());
  }
}
