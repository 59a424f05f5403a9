package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.store.KeptRow.Spot;
import io.postbox.inbox.store.SealedTexts.Stored;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

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

  public HandBackStore(Dialect dialect, TableNames tables, KeptContents contents) {
    this.contents = contents;
    captured = new CapturedStore(dialect, tables, contents);
    String table = tables.qualified("inbox_stored");
    due =
        """
        SELECT id FROM %s
        WHERE consumer = ? AND %s AND due_at <= %s
        ORDER BY due_at
        FETCH FIRST ? ROWS ONLY
        FOR UPDATE SKIP LOCKED
        """
            .formatted(table, StoredStatus.GOES_BACK, dialect.nowOnce());
    claim =
        """
        SELECT %s FROM %s m
        WHERE m.id = ? AND %s AND due_at <= %s
        FOR UPDATE SKIP LOCKED
        """
            .formatted(KeptRow.COLUMNS, table, StoredStatus.GOES_BACK, dialect.now());
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
   * The messages of a consumer that have their turn, the first one first: those whose copies are to
   * be sent, and those whose retry is due. Those that other transactions have, such as those of
   * their handlers, are left out: they would hide the others.
   */
  public List<Long> due(Connection connection, String consumer, int limit) throws SQLException {
    return Sql.list(connection, due, row -> row.getLong(1), consumer, limit);
  }

  /**
   * Locks a message until the transaction ends; empty if another one has, or it is not due. One
   * that was captured is handled from its row, and needs nothing more.
   */
  public Optional<KeptRow> claim(Connection connection, long id) throws SQLException {
    Optional<KeptRow> row = Sql.first(connection, claim, KeptRow::of, id);
    if (row.isPresent() && row.get().at().isCaptured()) {
      Spot at = row.get().at();
      captured.wake(connection, id, at.consumer(), at.key(), at.holds());
    }
    return row;
  }

  /**
   * Records that the copy of a claimed message is sent once this is committed.
   *
   * @param patience how long until it is sent again if it has not come
   */
  public void send(Connection connection, KeptRow row, Duration patience) throws SQLException {
    Sql.update(
        connection, send, row.nextGeneration(), row.sent() + 1, patience.toMillis(), row.at().id());
  }

  /** Has a copy that was not sent be sent again soon. */
  public void notSent(Connection connection, KeptRow row) throws SQLException {
    Sql.update(connection, notSent, row.at().id(), row.nextGeneration());
  }

  /**
   * Leaves a message, of which no copy can be sent, to an operator.
   *
   * @param error why
   * @return whether it still waited for that
   */
  public boolean giveUp(Connection connection, KeptRow row, String error) throws SQLException {
    Stored sealed = contents.texts().seal(row.place(), SealedTexts.ERROR, error);
    return Sql.update(
            connection,
            giveUp,
            ParkReason.NOT_RELEASED.name(),
            sealed.clearOrEmpty(),
            sealed.sealed(),
            row.at().id(),
            row.nextGeneration())
        == 1;
  }
}
