package io.postbox.inbox.store;

import io.postbox.inbox.config.TableNames;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Failure.Kind;
import io.postbox.inbox.message.Failures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.OffsetDateTime;

/** How handlers have fared with messages. Thread-safe. */
public final class FailureStore {
  private final String insert;
  private final String latest;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public FailureStore(Dialect dialect, TableNames tables) {
    insert =
        """
        INSERT INTO %s (consumer, message_id, attempt, kind, wait_millis, reason)
        VALUES (?, ?, ?, ?, ?, ?)
        """
            .formatted(tables.qualified("inbox_failure"));
    latest =
        """
        SELECT kind, wait_millis, reason, failed_at, %s FROM %s
        WHERE consumer = ? AND message_id = ?
        ORDER BY consumer, message_id, id
        """
            .formatted(dialect.now(), tables.qualified("inbox_failure"));
  }

  /** Writes a failure down. */
  public void insert(Connection connection, Failure failure) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      statement.setString(1, failure.consumer());
      statement.setString(2, failure.messageId());
      statement.setInt(3, failure.attempt());
      statement.setString(4, failure.kind().name());
      Duration pause = failure.pause();
      statement.setObject(5, pause == null ? null : pause.toMillis(), Types.BIGINT);
      statement.setString(6, failure.reason());
      statement.executeUpdate();
    }
  }

  private static Duration ago(ResultSet row) throws SQLException {
    return Duration.between(
        row.getObject(4, OffsetDateTime.class), row.getObject(5, OffsetDateTime.class));
  }

  /** How the handler has fared with a message so far. */
  public Failures of(Connection connection, String consumer, String messageId) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(latest)) {
      statement.setString(1, consumer);
      statement.setString(2, messageId);
      try (ResultSet row = statement.executeQuery()) {
        Failures sofar = Failures.NONE;
        while (row.next()) {
          long millis = row.getLong(2);
          Duration pause = row.wasNull() ? null : Duration.ofMillis(millis);
          sofar = sofar.and(Kind.valueOf(row.getString(1)), pause, row.getString(3), ago(row));
        }
        return sofar;
      }
    }
  }
}
