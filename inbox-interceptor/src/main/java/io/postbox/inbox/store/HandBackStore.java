package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.store.KeptContents.Columns;
import io.postbox.inbox.store.SealedTexts.Stored;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The messages that have their turn: a retry that is due, a version after those before it, a
 * redrive whose copy has not come. Their rows stay until their copies are handled. Thread-safe.
 */
public final class HandBackStore {
  /** After this time at the latest another copy of a message is sent. */
  public static final Duration LONGEST_PATIENCE = Duration.ofDays(1);

  private final KeptContents contents;
  private final CapturedStore captured;
  private final String due;
  private final String claim;
  private final String send;
  private final String notSent;
  private final String giveUp;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   * @param contents encrypts errors, if there is a cipher
   */
  public HandBackStore(Dialect dialect, TableNames tables, KeptContents contents) {
    this.contents = contents;
    captured = new CapturedStore(dialect, tables, contents);
    String table = tables.qualified("inbox_stored");
    // else PostgreSQL would ask for the time at each row
    String now =
        dialect == Dialect.POSTGRESQL ? "(SELECT %s)".formatted(dialect.now()) : dialect.now();
    due =
        """
        SELECT id FROM %s
        WHERE consumer = ? AND %s AND due_at <= %s
        ORDER BY due_at
        FETCH FIRST ? ROWS ONLY
        """
            .formatted(table, StoredStatus.GOES_BACK, now);
    claim =
        """
        SELECT consumer, message_id, destination, released_as, captured, ordering_key, holds, status,
          generation, waited_for, setbacks, fingerprint, fingerprint_version, reply_to, %s
        FROM %s
        WHERE id = ? AND %s AND due_at <= %s
        FOR UPDATE SKIP LOCKED
        """
            .formatted(Columns.NAMES, table, StoredStatus.GOES_BACK, dialect.now());
    send =
        """
        UPDATE %s
        SET status = 'HANDED_BACK', generation = ?, setbacks = ?,
          due_at = %s + CAST(? AS BIGINT) * INTERVAL '0.001' SECOND
        WHERE id = ?
        """
            .formatted(table, dialect.now());
    notSent =
        """
        UPDATE %s SET setbacks = setbacks - 1, due_at = %s
        WHERE id = ? AND generation = ? AND status = 'HANDED_BACK'
        """
            .formatted(table, dialect.now());
    giveUp =
        """
        UPDATE %s
        SET status = CASE WHEN released_as IS NULL THEN 'PARKED' ELSE 'QUARANTINED' END,
          reason = CASE WHEN released_as IS NULL THEN ? ELSE reason END,
          error = ?, sealed_error = ?, signature = '', due_at = NULL, kept_at = %s
        WHERE id = ? AND generation = ? AND status = 'HANDED_BACK'
        """
            .formatted(table, dialect.now());
  }

  /**
   * The messages of a consumer that have their turn, the first one first, without a lock: those
   * whose copies are to be sent, and those whose retry is due.
   */
  public List<Long> due(Connection connection, String consumer, int limit) throws SQLException {
    return Sql.list(connection, due, row -> row.getLong(1), consumer, limit);
  }

  /**
   * A claimed message.
   *
   * @param id its row
   * @param consumer its consumer
   * @param messageId its id, if it was received with a usable one
   * @param destination the destination it was received from, if known
   * @param releasedAs the id under which a person has released it, if that is another one
   * @param isCaptured whether its consumer handles it from its row
   * @param generation with which its next copy is sent
   * @param waitedFor how many failures of its handler it has waited for
   * @param sent how often its copy was sent with this generation
   * @param fingerprint the fingerprint of its body
   * @param replies whether it keeps its reply destination
   * @param content its content, as stored
   */
  public record Row(
      long id,
      String consumer,
      @Nullable String messageId,
      @Nullable String destination,
      @Nullable String releasedAs,
      boolean isCaptured,
      int generation,
      int waitedFor,
      int sent,
      Fingerprint fingerprint,
      ReplyOnRedrive replies,
      Columns content) {
    /** The row for which its content was encrypted. */
    public Place place() {
      return Place.stored(consumer, messageId, fingerprint);
    }
  }

  /**
   * Locks a message until the transaction ends; empty if another one has, or it is not due. One
   * that was captured is handled from its row, and needs nothing more.
   */
  public Optional<Row> claim(Connection connection, long id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(claim)) {
      statement.setLong(1, id);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        boolean isCaptured = row.getBoolean(5);
        boolean isRetry = row.getString(8).equals(StoredStatus.DELAYED.name());
        Row found =
            new Row(
                id,
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                isCaptured,
                row.getInt(9) + (isRetry ? 1 : 0),
                row.getInt(10),
                isRetry ? 0 : row.getInt(11),
                Fingerprinted.get(row, 12),
                row.getString(14) == null ? ReplyOnRedrive.DROP : ReplyOnRedrive.KEEP,
                Columns.of(row));
        if (isCaptured) {
          captured.wake(connection, id, found.consumer(), row.getString(6), row.getBoolean(7));
        }
        return Optional.of(found);
      }
    }
  }

  /**
   * Records that the copy of a claimed message is sent once this is committed.
   *
   * @param patience how long until it is sent again if it has not come
   */
  public void send(Connection connection, Row row, Duration patience) throws SQLException {
    Sql.update(connection, send, row.generation(), row.sent() + 1, patience.toMillis(), row.id());
  }

  /** Has a copy that was not sent be sent again soon. */
  public void notSent(Connection connection, Row row) throws SQLException {
    Sql.update(connection, notSent, row.id(), row.generation());
  }

  /**
   * Leaves a message, of which no copy can be sent, to an operator.
   *
   * @param error why
   * @return whether it still waited for that
   */
  public boolean giveUp(Connection connection, Row row, String error) throws SQLException {
    Stored sealed = contents.texts().seal(row.place(), SealedTexts.ERROR, error);
    return Sql.update(
            connection,
            giveUp,
            ParkReason.NOT_RELEASED.name(),
            sealed.clearOrEmpty(),
            sealed.sealed(),
            row.id(),
            row.generation())
        == 1;
  }
}
