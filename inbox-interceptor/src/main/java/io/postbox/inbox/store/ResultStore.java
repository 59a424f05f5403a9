package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.store.SealedTexts.Stored;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Handlers' replies and effects' results, for redelivered messages. Thread-safe. */
public final class ResultStore {
  /** The name under which the handler's reply is stored. */
  public static final String REPLY = "";

  private static final String RESULT = "result";

  private final Dialect dialect;
  private final SealedTexts texts;
  private final String insertIfAbsent;
  private final String delete;
  private final String select;

  /**
   * A stored result.
   *
   * @param value the returned value; null if an effect's result cannot be stored
   * @param replyTo the requested destination, if it is a reply and one was requested
   */
  public record Result(@Nullable String value, @Nullable String replyTo) {}

  /**
   * @param dialect the database's
   * @param tables where the tables are
   * @param texts converts results to columns and back
   */
  public ResultStore(Dialect dialect, TableNames tables, SealedTexts texts) {
    this.dialect = dialect;
    this.texts = texts;
    String table = tables.qualified("inbox_result");
    insertIfAbsent =
        """
        INSERT INTO %s (consumer, message_id, effect, result, sealed_result, reply_to)
        VALUES (?, ?, ?, ?, ?, ?)
        %s
        """
            .formatted(table, dialect.onConflictDoNothing());
    delete = "DELETE FROM %s WHERE consumer = ? AND message_id = ? AND effect = ?".formatted(table);
    select =
        """
        SELECT result, sealed_result, reply_to FROM %s
        WHERE consumer = ? AND message_id = ? AND effect = ?
        """
            .formatted(table);
  }

  /**
   * Stores a result, unless there is one.
   *
   * @param replyTo the requested destination, if it is a reply; up to 500 characters
   * @return whether a row was inserted
   * @throws InboxException if it cannot be encrypted
   */
  public boolean put(
      Connection connection,
      String consumer,
      String messageId,
      String effect,
      @Nullable String value,
      @Nullable String replyTo)
      throws SQLException {
    Stored stored = texts.seal(Place.result(consumer, messageId, effect), RESULT, value);
    return dialect.insertIfAbsent(
        connection,
        insertIfAbsent,
        consumer,
        messageId,
        effect,
        stored.clear(),
        stored.sealed(),
        replyTo);
  }

  /**
   * Stores the reply of a message whose id this transaction has, in place of the one of an earlier
   * use of the id, which retention has forgotten and perhaps a kept message has preserved.
   *
   * @param replyTo the requested destination, if one was requested; up to 500 characters
   * @throws InboxException if it cannot be encrypted
   */
  public void putReply(
      Connection connection,
      String consumer,
      String messageId,
      String reply,
      @Nullable String replyTo)
      throws SQLException {
    if (!put(connection, consumer, messageId, REPLY, reply, replyTo)) {
      Sql.update(connection, delete, consumer, messageId, REPLY);
      put(connection, consumer, messageId, REPLY, reply, replyTo);
    }
  }

  /**
   * The stored result; empty if there is none.
   *
   * @throws InboxException if it cannot be decrypted
   */
  public Optional<Result> get(
      Connection connection, String consumer, String messageId, String effect) throws SQLException {
    return Sql.first(
        connection,
        select,
        row ->
            new Result(
                texts.open(
                    Place.result(consumer, messageId, effect),
                    RESULT,
                    row.getString(1),
                    row.getString(2)),
                row.getString(3)),
        consumer,
        messageId,
        effect);
  }
}
