package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Numbers;
import io.postbox.common.store.Sql;
import io.postbox.inbox.message.Crashes.Unended;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** The unended attempts. Thread-safe. */
public final class AttemptStore {
  private static final String BY_IDS = Numbers.in("m.id");

  private final String left;
  private final String insert;
  private final String renew;
  private final String delete;
  private final String deleteAll;
  private final String forget;

  public AttemptStore(Dialect dialect, TableNames tables) {
    String table = tables.qualified("inbox_attempt");
    left =
        "SELECT node, alone, alive_at, %s FROM %s WHERE consumer = ? AND message_id = ?"
            .formatted(dialect.now(), table);
    insert =
        "INSERT INTO %s (consumer, message_id, node, alone) VALUES (?, ?, ?, ?)".formatted(table);
    renew = "UPDATE %s m SET alive_at = %s WHERE %s".formatted(table, dialect.now(), BY_IDS);
    delete = "DELETE FROM %s m WHERE %s".formatted(table, BY_IDS);
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
    return Sql.insert(
        connection, insert, List.of("id"), row -> row.getLong(1), consumer, messageId, node, alone);
  }

  /**
   * Renews running attempts.
   *
   * @param rows not empty
   */
  public void renew(Connection connection, Collection<Long> rows) throws SQLException {
    Sql.update(connection, renew, Numbers.of(rows));
  }

  /**
   * Deletes ended attempts.
   *
   * @param rows not empty
   */
  public void delete(Connection connection, Collection<Long> rows) throws SQLException {
    Sql.update(connection, delete, Numbers.of(rows));
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
