package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.ops.Part;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import io.postbox.inbox.message.Body;
import io.postbox.inbox.message.Captured;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.MessageId.Known;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.Schedule;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.message.Subject;
import io.postbox.inbox.store.KeptContents.Columns;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The captured messages. An ordering key has a row of its own as long as it is a message's turn:
 * one that is PENDING or DELAYED, or PARKED and holds the key. The row is locked while a message is
 * added or finished; so each key has at most one of these, and those behind it are HELD.
 * Transactions lock a message before its key, and no HELD message without its key. Thread-safe.
 */
public final class CapturedStore {
  private static final int TRIES = 10;

  private final Dialect dialect;
  private final KeptContents contents;
  private final KeptStore rows;
  private final String lockKey;
  private final String hasKey;
  private final String insertKey;
  private final String deleteKey;
  private final String pending;
  private final String pendingFrom;
  private final String due;
  private final String dueFrom;
  private final String claim;
  private final String read;
  private final String complete;
  private final String delete;
  private final String keep;
  private final String handled;
  private final String leave;
  private final String setbacks;
  private final String setBack;
  private final String farAhead;
  private final String hasten;
  private final String wake;
  private final String next;
  private final String forget;
  private final String completed;
  private final String hold;
  private final String uncapture;
  private final String correct;
  private final String forgetStray;
  private final String holding;
  private final String endHold;

  public CapturedStore(Dialect dialect, TableNames tables, KeptContents contents) {
    this.dialect = dialect;
    this.contents = contents;
    rows = new KeptStore(dialect, tables, contents);
    String table = tables.qualified("inbox_stored");
    String keys = tables.qualified("inbox_key");
    String messages = tables.qualified("inbox_message");
    hasKey = "SELECT consumer FROM %s WHERE consumer = ? AND ordering_key = ?".formatted(keys);
    lockKey = hasKey + " FOR UPDATE";
    insertKey =
        "INSERT INTO %s (consumer, ordering_key) VALUES (?, ?) %s"
            .formatted(keys, dialect.onConflictDoNothing());
    deleteKey = "DELETE FROM %s WHERE consumer = ? AND ordering_key = ?".formatted(keys);
    String paused = tables.qualified("inbox_switch");
    pending =
        """
        SELECT id FROM %s
        WHERE consumer = ? AND status = 'PENDING'
          AND NOT EXISTS (SELECT 1 FROM %s s WHERE s.consumer = ?)
        ORDER BY precedence, id
        FETCH FIRST ? ROWS ONLY
        FOR UPDATE SKIP LOCKED
        """
            .formatted(table, paused);
    pendingFrom =
        """
        SELECT id FROM %s
        WHERE consumer = ? AND status = 'PENDING' AND precedence = ? AND id >= ?
          AND NOT EXISTS (SELECT 1 FROM %s s WHERE s.consumer = ?)
        ORDER BY id
        FETCH FIRST ? ROWS ONLY
        FOR UPDATE SKIP LOCKED
        """
            .formatted(table, paused);
    due = due(dialect, table, paused, "");
    // two bounds of one column would have PostgreSQL expect few rows, and sort all of them
    dueFrom = due(dialect, table, paused, "AND (consumer, due_at) >= (?, ?)");
    claim =
        """
        SELECT status, %%s FROM %s m
        WHERE id = ? AND captured AND (status = 'PENDING' OR (status = 'DELAYED' AND due_at <= %s))
          AND NOT EXISTS (SELECT 1 FROM %s s WHERE s.consumer = m.consumer)
        FOR UPDATE SKIP LOCKED
        """
            .formatted(table, dialect.now(), paused);
    read =
        """
        SELECT m.consumer, m.message_id, m.fingerprint, m.fingerprint_version, m.source,
          m.event_type, m.aggregate_type, m.aggregate_id, m.aggregate_version, m.data_subject, m.headers,
          m.destination, m.reply_to, m.reply_allowed, m.handled, m.size, m.ordering_key, m.precedence,
          m.waited_for, m.body_type, m.encrypted, m.payload_text, m.payload_bytes,
          m.properties,
          EXISTS (SELECT 1 FROM %s f
            WHERE f.consumer = m.consumer AND f.message_id = m.message_id AND NOT f.redriven)
          OR EXISTS (SELECT 1 FROM %s a
            WHERE a.consumer = m.consumer AND a.message_id = m.message_id) AS tried
        FROM %s m
        WHERE m.id = ?
        """
            .formatted(tables.qualified("inbox_failure"), tables.qualified("inbox_attempt"), table);
    complete =
        """
        UPDATE %s SET outcome = ?, processed_at = %s
        WHERE consumer = ? AND message_id = ? AND outcome = 'CAPTURED'
        """
            .formatted(messages, dialect.now());
    completed =
        """
        SELECT fingerprint, fingerprint_version FROM %s
        WHERE consumer = ? AND message_id = ? AND outcome <> 'CAPTURED'
        """
            .formatted(messages);
    forget =
        "DELETE FROM %s WHERE consumer = ? AND message_id = ? AND outcome = 'CAPTURED'"
            .formatted(messages);
    delete = "DELETE FROM %s WHERE id = ?".formatted(table);
    keep =
        "UPDATE %s SET status = 'PROCESSED', due_at = NULL, kept_at = %s WHERE id = ?"
            .formatted(table, dialect.now());
    // without its key, it holds none and is behind none
    leave = "UPDATE %s SET status = 'PENDING', handled = TRUE WHERE id = ?".formatted(table);
    handled =
        """
        UPDATE %s
        SET status = 'DELAYED', handled = TRUE, ordering_key = NULL, due_at = %s,
          waited_for = 0, setbacks = 0
        WHERE id = ?
        """
            .formatted(table, dialect.now());
    setbacks =
        """
        SELECT setbacks, handled FROM %s
        WHERE id = ? AND status IN ('PENDING', 'DELAYED')
        FOR UPDATE SKIP LOCKED
        """
            .formatted(table);
    setBack =
        """
        UPDATE %s
        SET status = 'DELAYED', due_at = %s + CAST(? AS BIGINT) * INTERVAL '0.001' SECOND,
          setbacks = setbacks + 1
        WHERE id = ?
        """
            .formatted(table, dialect.now());
    farAhead =
        """
        SELECT id FROM %1$s c
        WHERE consumer = ? AND due_at > ?
          AND ((status = 'DELAYED'
              AND (setbacks > 0 OR handled OR (waited_for > 0 AND NOT EXISTS
                (SELECT 1 FROM %2$s f WHERE f.consumer = c.consumer AND f.message_id = c.message_id
                 AND f.kind = 'LATER' AND NOT f.redriven))))
            OR (status = 'HANDED_BACK' AND due_at > %3$s + INTERVAL '%4$s' HOUR))
        FETCH FIRST ? ROWS ONLY
        FOR UPDATE SKIP LOCKED
        """
            .formatted(
                table,
                tables.qualified("inbox_failure"),
                dialect.now(),
                String.valueOf(HandBackStore.LONGEST_PATIENCE.toHours()));
    hasten = "UPDATE %s SET due_at = ? WHERE id = ?".formatted(table);
    hold = "UPDATE %s SET holds = TRUE WHERE id = ?".formatted(table);
    uncapture = "UPDATE %s SET captured = FALSE, ordering_key = NULL WHERE id = ?".formatted(table);
    wake =
        """
        UPDATE %s
        SET status = ?, holds = FALSE, due_at = NULL, waited_for = 0, setbacks = 0, kept_at = NULL,
          reason = NULL, error = '', sealed_error = NULL, signature = '', attempts = 0
        WHERE id = ?
        """
            .formatted(table);
    correct =
        """
        UPDATE %s SET fingerprint = ?, fingerprint_version = ?,
          outcome = CASE WHEN EXISTS (SELECT 1 FROM %s s WHERE s.consumer = ? AND s.message_id = ?
            AND s.variant = '' AND s.status = 'PROCESSED') THEN 'PROCESSED' ELSE 'CAPTURED' END
        WHERE consumer = ? AND message_id = ?
        """
            .formatted(messages, table);
    forgetStray =
        """
        DELETE FROM %s
        WHERE consumer = ? AND message_id = ? AND outcome = 'CAPTURED'
          AND NOT EXISTS (SELECT 1 FROM %s s WHERE s.consumer = ? AND s.message_id = ?
            AND s.variant = '' AND s.captured)
        """
            .formatted(messages, table);
    holding =
        """
        SELECT id, ordering_key FROM %s
        WHERE consumer = ? AND status = 'PARKED' AND holds AND ordering_key IS NOT NULL
        FETCH FIRST 1 ROW ONLY
        FOR UPDATE SKIP LOCKED
        """
            .formatted(table);
    endHold = "UPDATE %s SET holds = FALSE WHERE id = ?".formatted(table);
    next =
        """
        UPDATE %1$s SET status = 'PENDING'
        WHERE id =
          (SELECT MIN(id) FROM %1$s WHERE consumer = ? AND ordering_key = ? AND status = 'HELD')
        """
            .formatted(table);
  }

  private static String due(Dialect dialect, String table, String paused, String from) {
    return """
    SELECT id, due_at FROM %s
    WHERE consumer = ? AND status = 'DELAYED' AND captured AND due_at <= %s %s
      AND NOT EXISTS (SELECT 1 FROM %s s WHERE s.consumer = ?)
      AND (? OR NOT handled)
    ORDER BY due_at
    FETCH FIRST ? ROWS ONLY
    FOR UPDATE SKIP LOCKED
    """
        .formatted(table, dialect.nowOnce(), from, paused);
  }

  /**
   * Stores a message in the transaction of its delivery, behind those with its ordering key.
   *
   * @param mayReply whether a reply may be sent to the destination that its sender chose
   * @return empty if it was not stored yet; else the fingerprint of the message that is stored
   */
  public Optional<Fingerprint> capture(
      Connection connection, Delivery delivery, String messageId, boolean mayReply)
      throws SQLException {
    Schedule schedule = delivery.schedule();
    String key = schedule.orderingKey();
    boolean isBehind = key != null && isBehindOthers(connection, delivery.consumer(), key);
    StoredStatus status =
        isBehind
            ? StoredStatus.HELD
            : schedule.notBefore() == null ? StoredStatus.PENDING : StoredStatus.DELAYED;
    Optional<Fingerprint> stored =
        rows.capture(connection, delivery, messageId, status, key, schedule.notBefore(), mayReply);
    if (stored.isPresent()) {
      if (key != null && !isBehind) {
        Sql.update(connection, deleteKey, delivery.consumer(), key); // nothing would release it
      }
      correct(connection, delivery.consumer(), messageId, stored.get());
    }
    return stored;
  }

  /**
   * Has the record of an id, which was forgotten and is stored anew, say the same as the row of its
   * message; none, if that was not captured: then it waits to be delivered or for a person.
   */
  private void correct(
      Connection connection, String consumer, String messageId, Fingerprint fingerprint)
      throws SQLException {
    Sql.update(
        connection, correct, Fingerprinted.values(fingerprint), Sql.times(2, consumer, messageId));
    Sql.update(connection, forgetStray, consumer, messageId, consumer, messageId);
  }

  /** Locks the row of a key, and tells whether the key had unfinished messages. */
  private boolean isBehindOthers(Connection connection, String consumer, String key)
      throws SQLException {
    for (int tries = TRIES; tries > 0; tries--) {
      if (lockKey(connection, consumer, key)) {
        return true;
      }
      if (dialect.insertIfAbsent(connection, insertKey, consumer, key)) {
        return false;
      }
    }
    throw new SQLException("the ordering key's row appeared and was deleted " + TRIES + " times");
  }

  /** Locks the row of a key, and tells whether there is one. */
  boolean lockKey(Connection connection, String consumer, String key) throws SQLException {
    return findKey(connection, lockKey, consumer, key);
  }

  /**
   * Locks the row of a key if there is one, unless another transaction has; tells whether one has.
   */
  public boolean isKeyBusy(Connection connection, String consumer, String key) throws SQLException {
    return !findKey(connection, lockKey + " SKIP LOCKED", consumer, key)
        && findKey(connection, hasKey, consumer, key);
  }

  private static boolean findKey(Connection connection, String sql, String consumer, String key)
      throws SQLException {
    return Sql.first(connection, sql, row -> row.getString(1), consumer, key).isPresent();
  }

  /**
   * The next messages that may be handled, by priority and age, that no transaction works on; none
   * of a paused consumer.
   *
   * @param connection keeps a lock on them, unless it commits each statement
   */
  public List<Long> pending(Connection connection, String consumer, int limit) throws SQLException {
    return ids(connection, pending, consumer, consumer, limit);
  }

  /**
   * Those of {@link #pending} that have one precedence, from an id on: where nothing is below, the
   * entries of messages that are done are not stepped over.
   *
   * @param precedence from 0, which is handled first, to {@value Schedule#HIGHEST_PRIORITY}
   */
  public List<Long> pending(
      Connection connection, String consumer, int precedence, long from, int limit)
      throws SQLException {
    return ids(connection, pendingFrom, consumer, precedence, from, consumer, limit);
  }

  private static List<Long> ids(Connection connection, String sql, Object... values)
      throws SQLException {
    return Sql.list(connection, sql, row -> row.getLong(1), values);
  }

  /** A delayed message, and since when it may be handled. */
  public record Due(long id, Instant at) {}

  /**
   * The delayed messages whose time has come and that no transaction works on, the first one first;
   * none of a paused consumer.
   *
   * @param connection keeps a lock on them, unless it commits each statement
   * @param withReplies also those that are handled, whose reply is to be sent
   * @param from leaves out those whose time came before; null for none
   */
  public List<Due> due(
      Connection connection,
      String consumer,
      boolean withReplies,
      @Nullable Instant from,
      int limit)
      throws SQLException {
    return Sql.list(
        connection,
        from == null ? due : dueFrom,
        row -> new Due(row.getLong(1), Sql.instant(row, 2)),
        consumer,
        new Sql.Values(from == null ? List.of() : List.of(consumer, from)),
        consumer,
        withReplies,
        limit);
  }

  /**
   * Locks a message until the transaction ends, unless another transaction has, its consumer is
   * paused, or it need not be handled any more. Read it with a later statement.
   *
   * @param longestSilence how long the transaction may leave the database alone
   */
  public boolean claim(Connection connection, long id, Duration longestSilence)
      throws SQLException {
    String sql = claim.formatted(dialect.endIfIdleFor(longestSilence));
    return Sql.first(connection, sql, row -> row.getString(1), id).isPresent();
  }

  /** A claimed or locked message. */
  public Captured read(Connection connection, long id) throws SQLException {
    return Sql.first(connection, read, row -> captured(id, row), id)
        .orElseThrow(() -> new SQLException("the claimed message " + id + " does not exist"));
  }

  private Captured captured(long id, ResultSet row) throws SQLException {
    String consumer = row.getString("consumer");
    String messageId = row.getString("message_id");
    Fingerprint fingerprint = Fingerprinted.get(row, 3);
    Supplier<Columns> columns = Columns.later(row);
    Supplier<Content> content =
        new Part<>(
            () -> contents.open(Place.stored(consumer, messageId, fingerprint), columns.get()));
    return new Captured(
        id,
        messageId,
        new Delivery(
            consumer,
            new Known(messageId),
            fingerprint,
            row.getString("source"),
            row.getString("event_type"),
            subject(row),
            row.getString("data_subject"),
            row.getString("destination"),
            row.getString("reply_to"),
            row.getString("headers"),
            new History(row.getBoolean("tried"), row.getInt("waited_for"), 0),
            new Body.Whole(),
            content,
            content,
            new Schedule(
                row.getString("ordering_key"),
                Schedule.HIGHEST_PRIORITY - row.getInt("precedence"),
                null),
            new StoredRow(id, 0)),
        content,
        row.getBoolean("handled"),
        row.getLong("size"),
        row.getBoolean("reply_allowed"));
  }

  private static @Nullable Subject subject(ResultSet row) throws SQLException {
    String type = row.getString("aggregate_type");
    String id = row.getString("aggregate_id");
    long version = row.getLong("aggregate_version");
    Long known = row.wasNull() ? null : version;
    return type == null || id == null ? null : new Subject(type, id, known);
  }

  /**
   * Records a captured message as completed.
   *
   * @param outcome its outcome
   * @return whether it was recorded as captured
   */
  public boolean complete(Connection connection, String consumer, String messageId, String outcome)
      throws SQLException {
    return Sql.update(connection, complete, outcome, consumer, messageId) == 1;
  }

  /** The fingerprint stored with the id of a completed message; empty if it is not completed. */
  public Optional<Fingerprint> completedFingerprint(
      Connection connection, String consumer, String messageId) throws SQLException {
    return Sql.first(connection, completed, row -> Fingerprinted.get(row, 1), consumer, messageId);
  }

  /** Has a locked message, which is quarantined, be no captured one any more. */
  public void forget(Connection connection, Captured message) throws SQLException {
    Sql.update(connection, forget, message.delivery().consumer(), message.messageId());
    Sql.update(connection, uncapture, message.id());
    release(connection, message.delivery());
  }

  /**
   * Ends the work on a message that this transaction has handled, and lets the next one with its
   * ordering key be handled; unless another transaction has locked the key, which may last: the
   * work must not wait for that, or be lost. Then only its end is left, in a turn of its own.
   *
   * @param isKept whether its row is kept
   * @return whether it has ended
   */
  public boolean finishUnlessBusy(Connection connection, Captured message, boolean isKept)
      throws SQLException {
    return unlessKeyIsBusy(connection, message, isKept ? keep : delete);
  }

  private boolean unlessKeyIsBusy(Connection connection, Captured message, String end)
      throws SQLException {
    String key = message.delivery().schedule().orderingKey();
    if (key != null && isKeyBusy(connection, message.delivery().consumer(), key)) {
      Sql.update(connection, leave, message.id());
      return false;
    }
    Sql.update(connection, end, message.id());
    if (key != null) {
      promote(connection, message.delivery().consumer(), key);
    }
    return true;
  }

  /**
   * Ends the work on a claimed message, and lets the next one with its ordering key be handled.
   *
   * @param isKept whether its row is kept
   */
  public void finish(Connection connection, Captured message, boolean isKept) throws SQLException {
    Sql.update(connection, isKept ? keep : delete, message.id());
    release(connection, message.delivery());
  }

  /**
   * Notes that the handler of a claimed message is done, and its reply has to be sent. The next one
   * with its ordering key does not wait for that. As {@link #finishUnlessBusy}, this does not wait
   * for the key.
   *
   * @return whether another transaction does not have the key
   */
  public boolean handled(Connection connection, Captured message) throws SQLException {
    return unlessKeyIsBusy(connection, message, handled);
  }

  /**
   * Where a message is that a turn did not bring forward.
   *
   * @param number how often steps around its handler have failed in a row
   * @param isHandled whether its handler is done
   */
  public record Setbacks(int number, boolean isHandled) {}

  /**
   * Locks a message that is to be handled, or whose reply is to be sent, unless another transaction
   * has.
   *
   * @return empty if it need not be handled any more
   */
  public Optional<Setbacks> lockSetbacks(Connection connection, long id) throws SQLException {
    return Sql.first(
        connection, setbacks, row -> new Setbacks(row.getInt(1), row.getBoolean(2)), id);
  }

  /** Has a locked message tried again after a delay, because a step around its handler failed. */
  public void setBack(Connection connection, long id, Duration delay) throws SQLException {
    Sql.update(connection, setBack, delay.toMillis(), id);
  }

  /**
   * Makes retries due that are later than any backoff, and copies that are later than any is sent
   * again; not messages that their sender delays, or whose handler has said how long it wants to
   * wait.
   *
   * @param latest how late a retry may be due
   * @param now the database's time
   * @return how many there were
   */
  public int hasten(Connection connection, String consumer, Instant latest, Instant now, int limit)
      throws SQLException {
    List<Long> ids = ids(connection, farAhead, consumer, latest, limit);
    Sql.batch(connection, hasten, ids, id -> new Object[] {now, id});
    return ids.size();
  }

  /**
   * Has the messages behind one with its ordering key wait for it, or not: it is locked and kept
   * aside.
   *
   * @param key its ordering key, if it has one
   * @param holds whether they wait
   */
  public void keepAside(
      Connection connection, long id, String consumer, @Nullable String key, boolean holds)
      throws SQLException {
    if (!holds) {
      release(connection, consumer, key);
    } else if (key != null) {
      Sql.update(connection, hold, id);
    }
  }

  /** The same for a claimed message. */
  public void keepAside(Connection connection, Captured message, boolean holds)
      throws SQLException {
    Delivery delivery = message.delivery();
    keepAside(
        connection, message.id(), delivery.consumer(), delivery.schedule().orderingKey(), holds);
  }

  /**
   * Has a locked message that was captured handled, in its place of its key: at once, or behind the
   * one whose turn it is.
   *
   * @param key its ordering key, if it has one
   * @param holds whether those behind it wait for it
   */
  public void wake(
      Connection connection, long id, String consumer, @Nullable String key, boolean holds)
      throws SQLException {
    boolean waits = key != null && !holds && isBehindOthers(connection, consumer, key);
    Sql.update(connection, wake, (waits ? StoredStatus.HELD : StoredStatus.PENDING).name(), id);
  }

  /**
   * Records a locked message that was captured as discarded, and lets the next one with its
   * ordering key be handled if that waits for it.
   *
   * @param key its ordering key, if it has one
   * @param holds whether those behind it wait for it
   * @param waits whether to wait for another transaction that has the key
   * @return false if nothing was changed because one has
   */
  public boolean discard(
      Connection connection,
      String consumer,
      String messageId,
      @Nullable String key,
      boolean holds,
      boolean waits)
      throws SQLException {
    if (holds && key != null && !waits && isKeyBusy(connection, consumer, key)) {
      return false;
    }
    complete(connection, consumer, messageId, Outcome.DISCARDED.name());
    if (holds) {
      release(connection, consumer, key);
    }
    return true;
  }

  /**
   * Has the messages behind one parked message of a consumer wait for it no longer.
   *
   * @return whether there was such a message, and so may be another
   */
  public boolean endHold(Connection connection, String consumer) throws SQLException {
    return Sql.first(
            connection,
            holding,
            row -> {
              Sql.update(connection, endHold, row.getLong(1));
              release(connection, consumer, row.getString(2));
              return true;
            },
            consumer)
        .isPresent();
  }

  private void release(Connection connection, Delivery delivery) throws SQLException {
    release(connection, delivery.consumer(), delivery.schedule().orderingKey());
  }

  /** Lets the next message with an ordering key be handled. */
  private void release(Connection connection, String consumer, @Nullable String key)
      throws SQLException {
    if (key != null) {
      lockKey(connection, consumer, key);
      promote(connection, consumer, key);
    }
  }

  /** Lets the next message with a key, whose row is locked, be handled. */
  void promote(Connection connection, String consumer, String key) throws SQLException {
    if (Sql.update(connection, next, consumer, key) == 0) {
      Sql.update(connection, deleteKey, consumer, key);
    }
  }
}
