package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.Quarantined;
import io.postbox.inbox.message.Schedule;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.message.Subject;
import io.postbox.inbox.store.KeptContents.Columns;
import io.postbox.inbox.store.SealedTexts.Stored;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes stored messages, in the transaction in which a delivery is handled. A message that has a
 * row keeps it: only what became of it is written. Thread-safe.
 */
public final class KeptStore {
  private final Dialect dialect;
  private final KeptContents contents;
  private final String insert;
  private final String claim;
  private final String own;
  private final String there;
  private final String rename;
  private final String change;
  private final String delay;
  private final String delete;
  private final String adopt;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   * @param contents converts contents to columns
   */
  public KeptStore(Dialect dialect, TableNames tables, KeptContents contents) {
    this.dialect = dialect;
    this.contents = contents;
    String table = tables.qualified("inbox_stored");
    insert =
        """
        INSERT INTO %s
          (consumer, message_id, status, captured, variant, precedence, ordering_key, due_at, reply_allowed,
           reason, error, sealed_error, signature, attempts, stored_fingerprint, stored_fingerprint_version,
           source, event_type, aggregate_type, aggregate_id, aggregate_version, data_subject,
           fingerprint, fingerprint_version, headers, destination, reply_to, size, %s, kept_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
          ?, ?, ?, ?, ?, CASE WHEN ? THEN %s END)
        %s
        """
            .formatted(table, Columns.NAMES, dialect.now(), dialect.onConflictDoNothing());
    claim =
        """
        SELECT consumer FROM %s
        WHERE id = ? AND generation = ? AND status = 'HANDED_BACK' AND NOT captured
        FOR UPDATE SKIP LOCKED
        """
            .formatted(table);
    own =
        "SELECT message_id, released_as, fingerprint, fingerprint_version, %s FROM %s WHERE id = ?"
            .formatted(Columns.NAMES, table);
    there =
        """
        SELECT fingerprint, fingerprint_version FROM %s
        WHERE consumer = ? AND message_id = ? AND variant = ?
        """
            .formatted(table);
    rename =
        """
        UPDATE %s
        SET message_id = released_as, released_as = NULL, body_type = ?, encrypted = ?,
          payload_text = ?, payload_bytes = ?, properties = ?, variant = ?
        WHERE id = ?
        """
            .formatted(table);
    change =
        """
        UPDATE %s
        SET status = ?, variant = ?, reason = ?, error = ?, sealed_error = ?, signature = ?, attempts = ?,
          stored_fingerprint = ?, stored_fingerprint_version = ?, waited_for = 0, waits = 0,
          setbacks = 0, due_at = NULL, kept_at = %s
        WHERE id = ?
        """
            .formatted(table, dialect.now());
    delay =
        """
        UPDATE %s
        SET status = 'DELAYED', due_at = %s + CAST(? AS BIGINT) * INTERVAL '0.001' SECOND,
          waited_for = ?, waits = ?, setbacks = 0
        WHERE id = ?
        """
            .formatted(table, dialect.now());
    delete = "DELETE FROM %s WHERE id = ?".formatted(table);
    adopt =
        """
        UPDATE %s
        SET captured = TRUE, status = ?, ordering_key = ?, due_at = ?, reply_allowed = ?, reason = NULL,
          error = '', sealed_error = NULL, signature = '', attempts = 0, waited_for = 0, waits = 0,
          setbacks = 0, kept_at = NULL
        WHERE id = ?
        """
            .formatted(table);
  }

  /** What a row says besides the message. */
  private record Said(
      StoredStatus status,
      boolean isCaptured,
      String variant,
      @Nullable String reason,
      @Nullable String error,
      String signature,
      int attempts,
      @Nullable Fingerprint stored) {}

  /**
   * Stores a captured message.
   *
   * @param key its ordering key
   * @param due when it may be handled at the earliest, if not at once
   * @param mayReply whether a reply may be sent to the destination that its sender chose
   * @return empty if it was not stored yet; else the fingerprint of the message that is stored
   */
  Optional<Fingerprint> capture(
      Connection connection,
      Delivery delivery,
      String messageId,
      StoredStatus status,
      @Nullable String key,
      @Nullable Instant due,
      boolean mayReply)
      throws SQLException {
    StoredRow row = delivery.stored();
    boolean isNew =
        row == null
            ? insert(
                connection,
                delivery,
                messageId,
                new Said(status, true, "", null, null, "", 0, null),
                key,
                due,
                mayReply)
            : adopt(connection, delivery.consumer(), row, status, key, due, mayReply);
    return isNew
        ? Optional.empty()
        : Optional.of(
            there(connection, delivery.consumer(), messageId, "")
                .orElseThrow(
                    () ->
                        new SQLException(
                            "the stored message %s existed and is gone".formatted(messageId))));
  }

  /** Has a claimed copy of a message be captured, in its row. */
  private boolean adopt(
      Connection connection,
      String consumer,
      StoredRow row,
      StoredStatus status,
      @Nullable String key,
      @Nullable Instant due,
      boolean mayReply)
      throws SQLException {
    if (settle(connection, consumer, row, "").isEmpty()) {
      return false;
    }
    Sql.update(connection, adopt, status.name(), key, due, mayReply, row.id());
    return true;
  }

  /**
   * Quarantines a delivery, unless one with its id and content is quarantined already.
   *
   * @return whether it was quarantined now
   */
  public boolean quarantine(Connection connection, Quarantined quarantined) throws SQLException {
    Delivery delivery = quarantined.delivery();
    Fingerprint fingerprint = delivery.fingerprint();
    Said said =
        new Said(
            StoredStatus.QUARANTINED,
            false,
            fingerprint.version() + "." + fingerprint.sha256(),
            quarantined.reason().name(),
            null,
            "",
            0,
            quarantined.stored());
    StoredRow row = delivery.stored();
    return row == null
        ? insert(connection, delivery, quarantined.messageId(), said, null, null, false)
        : change(connection, delivery.consumer(), row, said);
  }

  /**
   * Parks a message, or has it wait for the versions before it, unless one with its id is stored.
   *
   * @return empty if it was stored now; else the fingerprint of the message that is stored
   */
  public Optional<Fingerprint> park(Connection connection, Parked parked) throws SQLException {
    Delivery delivery = parked.delivery();
    Said said =
        new Said(
            parked.reason() == ParkReason.EARLY ? StoredStatus.EARLY : StoredStatus.PARKED,
            false,
            "",
            parked.reason().name(),
            parked.error(),
            parked.signature(),
            parked.attempts(),
            null);
    StoredRow row = delivery.stored();
    boolean isNew =
        row == null
            ? insert(connection, delivery, parked.messageId(), said, null, null, false)
            : change(connection, delivery.consumer(), row, said);
    return isNew
        ? Optional.empty()
        : there(connection, delivery.consumer(), parked.messageId(), "");
  }

  /**
   * Locks the row of which a delivery is a copy until the transaction ends.
   *
   * @return its consumer; empty if this copy is not to be handled: the message is done or kept
   *     aside, has another copy, or another transaction works on it
   */
  public Optional<String> claim(Connection connection, StoredRow row) throws SQLException {
    return Sql.first(connection, claim, found -> found.getString(1), row.id(), row.generation());
  }

  /** Has a claimed message handled after a delay. */
  public void delay(Connection connection, long id, Duration delay, int waitedFor, int waits)
      throws SQLException {
    Sql.update(connection, this.delay, delay.toMillis(), waitedFor, waits, id);
  }

  /** Deletes the row of a claimed message that is done. */
  public void delete(Connection connection, long id) throws SQLException {
    Sql.update(connection, delete, id);
  }

  private boolean insert(
      Connection connection,
      Delivery delivery,
      @Nullable String messageId,
      Said said,
      @Nullable String key,
      @Nullable Instant due,
      boolean mayReply)
      throws SQLException {
    Place place = Place.stored(delivery.consumer(), messageId, delivery.fingerprint());
    Subject subject = delivery.subject();
    Content content = delivery.content().get();
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      int at = 0;
      statement.setString(++at, delivery.consumer());
      statement.setString(++at, messageId);
      statement.setString(++at, said.status().name());
      statement.setBoolean(++at, said.isCaptured());
      statement.setString(++at, said.variant());
      statement.setInt(++at, Schedule.HIGHEST_PRIORITY - delivery.schedule().priority());
      statement.setString(++at, key);
      setTime(statement, ++at, due);
      statement.setBoolean(++at, mayReply);
      at = set(statement, at, place, said);
      statement.setString(++at, delivery.source());
      statement.setString(++at, delivery.eventType());
      statement.setString(++at, subject == null ? null : subject.type());
      statement.setString(++at, subject == null ? null : subject.id());
      statement.setObject(++at, subject == null ? null : subject.version(), Types.BIGINT);
      statement.setString(++at, delivery.dataSubject());
      Fingerprinted.set(statement, ++at, delivery.fingerprint());
      at++;
      statement.setString(++at, delivery.headers());
      statement.setString(++at, delivery.destination());
      statement.setString(++at, delivery.replyTo());
      statement.setLong(++at, content.size());
      at = contents.seal(place, content).bind(statement, at + 1);
      statement.setBoolean(at, !said.isCaptured());
      return dialect.insertIfAbsent(statement);
    }
  }

  /** Sets why a message is kept aside, and returns the index of the last parameter. */
  private int set(PreparedStatement statement, int last, Place place, Said said)
      throws SQLException {
    int at = last;
    Stored error = contents.texts().seal(place, SealedTexts.ERROR, said.error());
    statement.setString(++at, said.reason());
    statement.setString(++at, error.clearOrEmpty());
    statement.setString(++at, error.sealed());
    statement.setString(++at, said.signature());
    statement.setInt(++at, said.attempts());
    Fingerprinted.set(statement, ++at, said.stored());
    return at + 1;
  }

  /** A row as its transaction has it. */
  private record Own(
      @Nullable String messageId,
      @Nullable String releasedAs,
      Fingerprint fingerprint,
      Supplier<Columns> content) {}

  /**
   * Writes what became of a claimed message.
   *
   * @return false if that is written already of the same content under its id: then its row goes
   */
  private boolean change(Connection connection, String consumer, StoredRow row, Said said)
      throws SQLException {
    Optional<Place> place = settle(connection, consumer, row, said.variant());
    if (place.isEmpty()) {
      return false;
    }
    try (PreparedStatement statement = connection.prepareStatement(change)) {
      statement.setString(1, said.status().name());
      statement.setString(2, said.variant());
      int at = set(statement, 2, place.get(), said);
      statement.setLong(at + 1, row.id());
      statement.executeUpdate();
    }
    return true;
  }

  /**
   * Has a claimed message that a person has released under another id take that id for good.
   *
   * @return its place; empty if another row has it: then its own is deleted
   */
  private Optional<Place> settle(
      Connection connection, String consumer, StoredRow row, String variant) throws SQLException {
    Own own = own(connection, row.id());
    boolean isRenamed = own.releasedAs() != null;
    String id = isRenamed ? own.releasedAs() : own.messageId();
    if (id != null
        && (isRenamed || !variant.isEmpty())
        && there(connection, consumer, id, variant).isPresent()) {
      delete(connection, row.id());
      return Optional.empty();
    }
    Place place = Place.stored(consumer, id, own.fingerprint());
    if (isRenamed) {
      Place before = Place.stored(consumer, own.messageId(), own.fingerprint());
      rename(
          connection,
          row.id(),
          contents.seal(place, contents.open(before, own.content().get())),
          variant);
    }
    return Optional.of(place);
  }

  private Own own(Connection connection, long id) throws SQLException {
    return Sql.first(
            connection,
            own,
            row ->
                new Own(
                    row.getString(1),
                    row.getString(2),
                    Fingerprinted.get(row, 3),
                    Columns.later(row)),
            id)
        .orElseThrow(() -> new SQLException("the claimed message " + id + " does not exist"));
  }

  private void rename(Connection connection, long id, Columns content, String variant)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(rename)) {
      int next = content.bind(statement, 1);
      statement.setString(next, variant);
      statement.setLong(next + 1, id);
      statement.executeUpdate();
    }
  }

  private Optional<Fingerprint> there(
      Connection connection, String consumer, String messageId, String variant)
      throws SQLException {
    return Sql.first(
        connection, there, row -> Fingerprinted.get(row, 1), consumer, messageId, variant);
  }

  private static void setTime(PreparedStatement statement, int index, @Nullable Instant time)
      throws SQLException {
    statement.setObject(
        index, time == null ? null : time.atOffset(ZoneOffset.UTC), Types.TIMESTAMP_WITH_TIMEZONE);
  }
}
