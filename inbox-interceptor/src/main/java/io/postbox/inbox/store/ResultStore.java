package io.postbox.inbox.store;

import io.postbox.inbox.config.TableNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What handlers left for messages that come again. Thread-safe. */
public final class ResultStore {
  /** The effect that is the handler's answer. */
  public static final String REPLY = "";

  private final Dialect dialect;
  private final String insertIfAbsent;
  private final String select;

  /**
   * What was left.
   *
   * @param value what was returned; may be nothing
   */
  public record Result(@Nullable String value) {}

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public ResultStore(Dialect dialect, TableNames tables) {
    this.dialect = dialect;
    String table = tables.qualified("inbox_result");
    insertIfAbsent =
        """
        INSERT INTO %s (consumer, message_id, effect, result) VALUES (?, ?, ?, ?)
        %s
        """
            .formatted(table, dialect.unlessItIsThere());
    select =
        """
        SELECT result FROM %s WHERE consumer = ? AND message_id = ? AND effect = ?
        """
            .formatted(table);
  }

  /**
   * Leaves a result, unless there is one.
   *
   * @return whether a row was inserted
   */
  public boolean put(
      Connection connection,
      String consumer,
      String messageId,
      String effect,
      @Nullable String value)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(insertIfAbsent)) {
      statement.setString(1, consumer);
      statement.setString(2, messageId);
      statement.setString(3, effect);
      statement.setString(4, value);
      return dialect.insertsUnlessThere(statement);
    }
  }

  /** What was left; empty if nothing was. */
  public Optional<Result> get(
      Connection connection, String consumer, String messageId, String effect) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(select)) {
      statement.setString(1, consumer);
      statement.setString(2, messageId);
      statement.setString(3, effect);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(new Result(row.getString(1))) : Optional.empty();
      }
    }
  }
}
