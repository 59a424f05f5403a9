package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Sql;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.store.KeptContents.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The statements of operators' actions on kept messages of one kind. Thread-safe. */
public final class KeptRows {
  private final String candidates;
  private final String read;
  private final String lock;
  private final String lockPlaces;
  private final String existing;
  private final String aggregates;
  private final String handBack;
  private final String takeBack;
  private final String delete;
  private final String remember;
  private final String passOver;
  private final String deleteHistory;
  private final String endFailures;
  private final String deleteAttempts;
  private final String renewResults;
  private final String renewId;
  private final String fate;
  private final String replace;

  /**
   * @param kind the kind of messages
   * @param tables where the tables are
   */
  public KeptRows(Kind kind, TableNames tables) {
    String table = tables.qualified("inbox_stored");
    candidates =
        """
        SELECT m.id FROM %s m
        WHERE m.id > ? AND m.id <= ? %%s
        ORDER BY m.id
        FETCH FIRST ? ROWS ONLY
        """
            .formatted(table);
    read =
        """
        SELECT id, consumer, message_id, destination, fingerprint, fingerprint_version, %s, reason,
          released_as, captured, ordering_key, holds, generation
        FROM %s m
        WHERE id = ? AND %s
        """
            .formatted(Columns.NAMES, table, of(kind));
    lock = read + " FOR UPDATE";
    lockPlaces =
        """
        SELECT m.id, m.consumer, m.message_id, m.captured, m.ordering_key, m.holds FROM %s m
        WHERE %s AND %s
        ORDER BY m.id
        FOR UPDATE
        """
            .formatted(table, KeptIds.CONDITION, of(kind));
    existing =
        "SELECT m.id FROM %s m WHERE %s AND %s ORDER BY m.id"
            .formatted(table, KeptIds.CONDITION, of(kind));
    aggregates =
        """
        SELECT m.id, m.consumer, m.aggregate_type, m.aggregate_id
        FROM %s m
        WHERE %s
          AND m.aggregate_type IS NOT NULL
          AND m.aggregate_id IS NOT NULL
          AND m.aggregate_version IS NOT NULL
        ORDER BY m.id
        """
            .formatted(table, KeptIds.CONDITION);
    handBack =
        """
        UPDATE %s
        SET status = 'HANDED_BACK', generation = generation + 1, released_as = ?,
          reply_to = CASE WHEN ? THEN reply_to END, waited_for = 0, waits = 0, setbacks = 1,
          due_at = CURRENT_TIMESTAMP + CAST(? AS BIGINT) * INTERVAL '0.001' SECOND
        WHERE id = ?
        """
            .formatted(table);
    takeBack =
        """
        UPDATE %s SET status = CASE reason WHEN 'EARLY' THEN reason ELSE '%s' END, due_at = NULL
        WHERE id = ? AND generation = ? AND status = 'HANDED_BACK'
        """
            .formatted(table, kind.name());
    delete = "DELETE FROM %s m WHERE %s".formatted(table, KeptIds.CONDITION);
    // Fails if another transaction inserts one of these at the same time; the caller retries.
    remember =
        """
        INSERT INTO %1$s
          (consumer, message_id, source, fingerprint, fingerprint_version, headers, outcome)
        SELECT m.consumer, m.message_id, m.source, m.fingerprint, m.fingerprint_version, '{}',
          'DISCARDED'
        FROM %2$s m
        WHERE %3$s
          AND NOT EXISTS (SELECT 1 FROM %1$s d
                          WHERE d.consumer = m.consumer AND d.message_id = m.message_id)
        """
            .formatted(tables.qualified("inbox_message"), table, KeptIds.CONDITION);
    passOver =
        """
        INSERT INTO %1$s (consumer, aggregate_type, aggregate_id, version)
        SELECT DISTINCT m.consumer, m.aggregate_type, m.aggregate_id, m.aggregate_version
        FROM %2$s m
        WHERE %3$s
          AND m.aggregate_type IS NOT NULL
          AND m.aggregate_id IS NOT NULL
          AND m.aggregate_version IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM %1$s d
                          WHERE d.consumer = m.consumer
                            AND d.aggregate_type = m.aggregate_type
                            AND d.aggregate_id = m.aggregate_id
                            AND d.version = m.aggregate_version)
        """
            .formatted(tables.qualified("inbox_discarded"), table, KeptIds.CONDITION);
    deleteHistory =
        "DELETE FROM %s WHERE consumer = ? AND message_id = ? AND redriven"
            .formatted(tables.qualified("inbox_failure"));
    endFailures =
        "UPDATE %s SET redriven = TRUE WHERE consumer = ? AND message_id = ? AND NOT redriven"
            .formatted(tables.qualified("inbox_failure"));
    deleteAttempts =
        "DELETE FROM %s WHERE consumer = ? AND message_id = ?"
            .formatted(tables.qualified("inbox_attempt"));
    renewResults =
        "UPDATE %s SET created_at = CURRENT_TIMESTAMP WHERE consumer = ? AND message_id = ?"
            .formatted(tables.qualified("inbox_result"));
    replace =
        """
        UPDATE %s
        SET body_type = ?, encrypted = ?, payload_text = ?, payload_bytes = ?, properties = ?,
          size = ?
        WHERE id = ?
        """
            .formatted(table);
    fate =
        """
        SELECT COALESCE((SELECT status FROM %s WHERE id = ?), 'PROCESSED'),
          EXISTS (SELECT 1 FROM %s WHERE consumer = ? AND message_id = ? AND NOT redriven
            AND kind IN ('FAILED', 'REJECTED'))
        """
            .formatted(table, tables.qualified("inbox_failure"));
    renewId =
        "UPDATE %s SET processed_at = CURRENT_TIMESTAMP WHERE consumer = ? AND message_id = ?"
            .formatted(tables.qualified("inbox_message"));
  }

  /** The condition for messages of a kind, with those that wait for the versions before them. */
  static String of(Kind kind) {
    return kind == Kind.QUARANTINED
        ? "m.status = 'QUARANTINED'"
        : "m.status IN ('EARLY', 'PARKED')";
  }

  /**
   * Where a kept message is.
   *
   * @param id its row
   * @param consumer the name of its consumer
   * @param messageId its id, if it has a usable one
   * @param isCaptured whether its consumer handles it from its row
   * @param key its ordering key, if it has one and is captured
   * @param holds whether those behind it with the key wait for it
   */
  public record Spot(
      long id,
      String consumer,
      @Nullable String messageId,
      boolean isCaptured,
      @Nullable String key,
      boolean holds) {}

  /**
   * A kept message.
   *
   * @param at where it is
   * @param destination the destination it was received from, if known
   * @param fingerprint the fingerprint of its body
   * @param content its content, as stored
   * @param reason why it is kept
   * @param releasedAs the new id under which it has to be sent, if one is assigned
   * @param generation how often it was handed back
   */
  public record Row(
      Spot at,
      @Nullable String destination,
      Fingerprint fingerprint,
      Columns content,
      String reason,
      @Nullable String releasedAs,
      int generation) {

    /** The row for which its content was encrypted. */
    public Place place() {
      return Place.stored(at.consumer(), at.messageId(), fingerprint);
    }
  }

  /**
   * The ids of messages, in order, without a lock.
   *
   * @param after the id after which to begin
   * @param upTo the last one
   */
  public List<Long> candidates(
      Connection connection, Kind kind, KeptFilter filter, long after, long upTo, int limit)
      throws SQLException {
    KeptConditions conditions = KeptConditions.of(kind, filter);
    String sql = candidates.formatted(conditions.sql());
    return Sql.list(
        connection, sql, row -> row.getLong(1), after, upTo, conditions.values(), limit);
  }

  /** A message with its content; empty if it is gone, or not kept aside any more. */
  public Optional<Row> read(Connection connection, long id) throws SQLException {
    return read(connection, read, id);
  }

  /** The same, locked until the transaction ends. */
  public Optional<Row> lock(Connection connection, long id) throws SQLException {
    return read(connection, lock, id);
  }

  private static Optional<Row> read(Connection connection, String sql, long id)
      throws SQLException {
    return Sql.first(
        connection,
        sql,
        row ->
            new Row(
                new Spot(
                    id,
                    row.getString("consumer"),
                    row.getString("message_id"),
                    row.getBoolean("captured"),
                    row.getString("ordering_key"),
                    row.getBoolean("holds")),
                row.getString("destination"),
                Fingerprinted.get(row, 5),
                Columns.of(row),
                row.getString("reason"),
                row.getString("released_as"),
                row.getInt("generation")),
        id);
  }

  /**
   * Locks those of these messages that are kept aside, in order, until the transaction ends.
   *
   * @param ids not empty
   * @param waits whether to wait for those that other transactions have; they are left out
   *     otherwise
   */
  public List<Spot> lock(Connection connection, Collection<Long> ids, boolean waits)
      throws SQLException {
    return Sql.list(
        connection,
        waits ? lockPlaces : lockPlaces + " SKIP LOCKED",
        row ->
            new Spot(
                row.getLong(1),
                row.getString(2),
                row.getString(3),
                row.getBoolean(4),
                row.getString(5),
                row.getBoolean(6)),
        KeptIds.values(ids));
  }

  /** Those of these messages that are kept aside, in order, without a lock. */
  public List<Long> existing(Connection connection, Collection<Long> ids) throws SQLException {
    return Sql.list(connection, existing, row -> row.getLong(1), KeptIds.values(ids));
  }

  /**
   * A message about an aggregate.
   *
   * @param row the id of its row
   */
  public record About(long row, String consumer, String type, String id) {}

  /**
   * The aggregates that messages are about, in the order of the messages.
   *
   * @param ids not empty
   */
  public List<About> aggregates(Connection connection, Collection<Long> ids) throws SQLException {
    return Sql.list(
        connection,
        aggregates,
        row -> new About(row.getLong(1), row.getString(2), row.getString(3), row.getString(4)),
        KeptIds.values(ids));
  }

  /**
   * Has a locked message handled by the copy that is to be sent once this is committed.
   *
   * @param releasedAs the id under which it is sent, if that is a new one
   * @param replies whether it keeps its reply destination
   * @param patience how long until the copy is sent again if it has not come
   */
  public void handBack(
      Connection connection,
      Spot at,
      @Nullable String releasedAs,
      ReplyOnRedrive replies,
      Duration patience)
      throws SQLException {
    Sql.update(
        connection,
        handBack,
        releasedAs,
        replies == ReplyOnRedrive.KEEP,
        patience.toMillis(),
        at.id());
  }

  /**
   * Makes the recorded failures of a locked message history, in place of those from before an
   * earlier redrive, and deletes its crashes: neither counts any longer. Restarts the retention of
   * its records.
   */
  public void endFailures(Connection connection, String consumer, String messageId)
      throws SQLException {
    for (String each : List.of(deleteHistory, endFailures, deleteAttempts, renewId, renewResults)) {
      Sql.update(connection, each, consumer, messageId);
    }
  }

  /**
   * Keeps a message aside that was handed back, because no copy of it could be sent.
   *
   * @param generation that with which it was handed back
   * @return whether it had not been handled meanwhile
   */
  public boolean takeBack(Connection connection, long id, int generation) throws SQLException {
    return Sql.update(connection, takeBack, id, generation) == 1;
  }

  /**
   * Deletes messages.
   *
   * @param ids not empty
   * @return how many of them existed
   */
  public int delete(Connection connection, Collection<Long> ids) throws SQLException {
    return Sql.update(connection, delete, KeptIds.values(ids));
  }

  /**
   * Records that parked messages were discarded, unless they were handled meanwhile.
   *
   * @param ids not empty
   */
  public void remember(Connection connection, Collection<Long> ids) throws SQLException {
    Sql.update(connection, remember, KeptIds.values(ids));
  }

  /**
   * Lets version order pass over the aggregates' versions of parked messages.
   *
   * @param ids not empty
   */
  public void passOver(Connection connection, Collection<Long> ids) throws SQLException {
    Sql.update(connection, passOver, KeptIds.values(ids));
  }

  /**
   * Replaces the content of a locked message.
   *
   * @param row the message
   * @param contents encrypts it, if there is a cipher
   */
  public void replace(Connection connection, Row row, Content content, KeptContents contents)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(replace)) {
      int next = contents.seal(row.place(), content).bind(statement, 1);
      statement.setLong(next, content.size());
      statement.setLong(next + 1, row.at().id());
      statement.executeUpdate();
    }
  }

  /** The result of a redrive for one message. */
  public enum Fate {
    /** Its consumer has handled it and sent its reply, or skips it. */
    DONE,
    /** A charged attempt has failed, or it is kept aside again. */
    FAILED,
    /** Neither yet. */
    WAITING
  }

  /** Reads the result of a redrive for one message. */
  public Fate fate(Connection connection, long id, String consumer, String messageId)
      throws SQLException {
    return Sql.one(
        connection,
        fate,
        row ->
            switch (StoredStatus.valueOf(row.getString(1))) {
              case PROCESSED -> Fate.DONE;
              case PARKED, QUARANTINED, EARLY -> Fate.FAILED;
              case PENDING, DELAYED, HELD, HANDED_BACK ->
                  row.getBoolean(2) ? Fate.FAILED : Fate.WAITING;
            },
        id,
        consumer,
        messageId);
  }
}
