package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.store.KeptContents.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The statements of operators' actions on kept messages of one kind. Thread-safe. */
public final class KeptRows {
  private final Kind kind;
  private final String candidates;
  private final String read;
  private final String lock;
  private final String lockKeys;
  private final String unreleased;
  private final String assign;
  private final String mark;
  private final String delete;
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
    this.kind = kind;
    String table = tables.qualified(table(kind));
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
        SELECT consumer, message_id, destination, fingerprint, fingerprint_version, %s, reason,
          %s AS released_as
        FROM %s m
        WHERE m.id = ?
        """
            .formatted(
                Columns.NAMES,
                kind == Kind.PARKED ? "CAST(NULL AS VARCHAR)" : "m.released_as",
                table);
    lock = read + " FOR UPDATE";
    lockKeys =
        "SELECT m.id, m.consumer, m.message_id FROM %s m WHERE %s ORDER BY m.id FOR UPDATE"
            .formatted(table, KeptIds.CONDITION);
    unreleased =
        """
        SELECT consumer, message_id, fingerprint, fingerprint_version, body_type, encrypted, properties
        FROM %s
        WHERE id = ? AND released_as IS NULL
        """
            .formatted(table);
    assign = "UPDATE %s SET released_as = ? WHERE id = ? AND released_as IS NULL".formatted(table);
    mark =
        "UPDATE %s m SET redriven = id WHERE %s AND redriven = 0"
            .formatted(table, KeptIds.CONDITION);
    delete = "DELETE FROM %s m WHERE %s".formatted(table, KeptIds.CONDITION);
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
        SELECT EXISTS (SELECT 1 FROM %s
            WHERE consumer = ? AND message_id = ? AND outcome <> 'CAPTURED')
          AND NOT EXISTS (SELECT 1 FROM %s
            WHERE consumer = ? AND message_id = ? AND status <> 'PROCESSED'),
          EXISTS (SELECT 1 FROM %s WHERE consumer = ? AND message_id = ? AND NOT redriven
            AND kind IN ('FAILED', 'REJECTED'))
          OR EXISTS (SELECT 1 FROM %s WHERE consumer = ? AND message_id = ? AND id > ?)
        """
            .formatted(
                tables.qualified("inbox_message"),
                tables.qualified("inbox_captured"),
                tables.qualified("inbox_failure"),
                tables.qualified("inbox_parked"));
    renewId =
        "UPDATE %s SET processed_at = CURRENT_TIMESTAMP WHERE consumer = ? AND message_id = ?"
            .formatted(tables.qualified("inbox_message"));
  }

  /** The table of a kind, without its prefix. */
  static String table(Kind kind) {
    return kind == Kind.PARKED ? "inbox_parked" : "inbox_quarantine";
  }

  /**
   * A kept message.
   *
   * @param consumer the name of its consumer
   * @param messageId its id, if it has a usable one
   * @param destination the destination it was received from, if known
   * @param fingerprint the fingerprint of its body
   * @param content its content, as stored
   * @param reason why it is kept
   * @param releasedAs the new id under which it has to be sent, if one is assigned
   */
  public record Row(
      String consumer,
      @Nullable String messageId,
      @Nullable String destination,
      Fingerprint fingerprint,
      Columns content,
      String reason,
      @Nullable String releasedAs) {

    /** The row for which its content was encrypted. */
    public Place place(Kind kind) {
      return Place.kept(kind, consumer, messageId, fingerprint);
    }
  }

  /**
   * The columns that distinguish quarantined messages without a new id.
   *
   * @param consumer the name of its consumer
   * @param messageId its id, if it has a usable one
   * @param fingerprint the fingerprint of its body
   * @param type the kind of its body
   * @param encrypted whether the properties are encrypted
   * @param properties its headers and properties, as stored
   */
  public record Unreleased(
      String consumer,
      @Nullable String messageId,
      Fingerprint fingerprint,
      BodyType type,
      boolean encrypted,
      String properties) {

    /** A copy with its properties decrypted. */
    public Unreleased open(KeptContents contents) {
      Place place = Place.kept(Kind.QUARANTINED, consumer, messageId, fingerprint);
      return new Unreleased(
          consumer,
          messageId,
          fingerprint,
          type,
          false,
          contents.properties(place, type, encrypted, properties));
    }
  }

  /**
   * The ids of messages, in order, without a lock.
   *
   * @param after the id after which to begin
   * @param upTo the last one
   */
  public List<Long> candidates(
      Connection connection, KeptFilter filter, long after, long upTo, int limit)
      throws SQLException {
    KeptConditions conditions = KeptConditions.of(kind, filter);
    String sql = candidates.formatted(conditions.sql());
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, after);
      statement.setLong(2, upTo);
      statement.setInt(conditions.bind(statement, 3), limit);
      List<Long> ids = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          ids.add(row.getLong(1));
        }
      }
      return ids;
    }
  }

  /** A message with its content; empty if it is gone. */
  public Optional<Row> read(Connection connection, long id) throws SQLException {
    return read(connection, read, id);
  }

  /** The content of a message, locked until the transaction ends. */
  public Optional<Row> lock(Connection connection, long id) throws SQLException {
    return read(connection, lock, id);
  }

  private static Optional<Row> read(Connection connection, String sql, long id)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(
                new Row(
                    row.getString("consumer"),
                    row.getString("message_id"),
                    row.getString("destination"),
                    Fingerprinted.get(row, 4),
                    Columns.of(row),
                    row.getString("reason"),
                    row.getString("released_as")))
            : Optional.empty();
      }
    }
  }

  /** A quarantined message without a new id; empty if it is gone, or has one. */
  public Optional<Unreleased> unreleased(Connection connection, long id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(unreleased)) {
      statement.setLong(1, id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(
                new Unreleased(
                    row.getString(1),
                    row.getString(2),
                    Fingerprinted.get(row, 3),
                    BodyType.valueOf(row.getString(5)),
                    row.getBoolean(6),
                    row.getString(7)))
            : Optional.empty();
      }
    }
  }

  /** Assigns the new id under which a quarantined message is sent, unless it has one. */
  public void assign(Connection connection, long id, String releasedAs) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(assign)) {
      statement.setString(1, releasedAs);
      statement.setLong(2, id);
      statement.executeUpdate();
    }
  }

  /**
   * Marks the rows of parked messages that are about to be sent, so that the messages can be parked
   * again.
   *
   * @param ids not empty
   */
  public void mark(Connection connection, Collection<Long> ids) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(mark)) {
      KeptIds.bind(statement, 1, ids);
      statement.executeUpdate();
    }
  }

  /**
   * Deletes messages.
   *
   * @param ids not empty
   * @return how many of them existed
   */
  public int delete(Connection connection, Collection<Long> ids) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(delete)) {
      KeptIds.bind(statement, 1, ids);
      return statement.executeUpdate();
    }
  }

  /**
   * Makes the recorded failures of parked messages history, in place of those from before an
   * earlier redrive, and deletes their crashes: neither counts any longer. Does not touch a message
   * that a concurrent redrive has sent, so that its handler's new failures stay. Ends before the
   * first message that is gone or that another transaction has, which may be that of a handler that
   * runs for long; only the very first one is waited for.
   *
   * @param ids in order, not empty
   * @return with how many of them, the first ones, it is done; at least one
   */
  public int endFailures(Connection connection, List<Long> ids) throws SQLException {
    Optional<Map<Long, Key>> free =
        BusyRows.unlessBusy(
            connection,
            attempt ->
                Optional.of(lockKeys(attempt, lockKeys + " SKIP LOCKED", ids))
                    .filter(it -> it.containsKey(ids.get(0))));
    List<Long> first =
        free.isPresent()
            ? ids.stream().takeWhile(free.get()::containsKey).toList()
            : ids.subList(0, 1);
    Map<Long, Key> locked = free.isPresent() ? free.get() : lockKeys(connection, lockKeys, first);
    List<Key> keys = first.stream().map(locked::get).filter(Objects::nonNull).toList();
    if (!keys.isEmpty()) {
      for (String each : List.of(deleteHistory, endFailures, deleteAttempts)) {
        update(connection, each, keys);
      }
    }
    return first.size();
  }

  private record Key(String consumer, String messageId) {}

  private static Map<Long, Key> lockKeys(Connection connection, String sql, Collection<Long> ids)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      KeptIds.bind(statement, 1, ids);
      Map<Long, Key> locked = new HashMap<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          locked.put(row.getLong(1), new Key(row.getString(2), row.getString(3)));
        }
      }
      return locked;
    }
  }

  private static void update(Connection connection, String sql, List<Key> keys)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (Key each : keys) {
        statement.setString(1, each.consumer());
        statement.setString(2, each.messageId());
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /**
   * Replaces the content of a locked message.
   *
   * @param row the message
   * @param contents encrypts it, if there is a cipher
   */
  public void replace(
      Connection connection, long id, Row row, Content content, KeptContents contents)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(replace)) {
      int next = contents.seal(row.place(kind), content).bind(statement, 1);
      statement.setLong(next, content.size());
      statement.setLong(next + 1, id);
      statement.executeUpdate();
    }
  }

  /** The result of a redrive for one message. */
  public enum Fate {
    /** Its consumer has handled it and sent its reply, or skips it. */
    DONE,
    /** A charged attempt has failed, or it is parked again. */
    FAILED,
    /** Neither yet. */
    WAITING
  }

  /**
   * Reads the result of a redrive for one message.
   *
   * @param after the last row of the plan by which it was sent
   */
  public Fate fate(Connection connection, String consumer, String messageId, long after)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(fate)) {
      for (int at = 1; at <= 7; at += 2) {
        statement.setString(at, consumer);
        statement.setString(at + 1, messageId);
      }
      statement.setLong(9, after);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1) ? Fate.DONE : row.getBoolean(2) ? Fate.FAILED : Fate.WAITING;
      }
    }
  }

  /** Restarts the retention of a message's records. */
  public void renew(Connection connection, String consumer, String messageId) throws SQLException {
    update(connection, renewId, consumer, messageId);
    update(connection, renewResults, consumer, messageId);
  }

  private static void update(Connection connection, String sql, String consumer, String messageId)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, consumer);
      statement.setString(2, messageId);
      statement.executeUpdate();
    }
  }
}
