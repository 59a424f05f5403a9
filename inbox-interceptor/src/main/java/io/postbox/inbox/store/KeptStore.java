package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.DelayedRetry;
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
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
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
  private final String insertDelayed;
  private final String claim;
  private final String own;
  private final String there;
  private final String rename;
  private final String change;
  private final String delay;
  private final String delete;
  private final String deleteWithoutBody;
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
    String within = dialect.now() + " + CAST(? AS BIGINT) * INTERVAL '0.001' SECOND";
    insert = insert(dialect, table, "?");
    insertDelayed = insert(dialect, table, within);
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
          payload_text = ?, payload_bytes = ?, properties = ?, size = ?, variant = ?
        WHERE id = ?
        """
            .formatted(table);
    change =
        """
        UPDATE %s
        SET status = ?, variant = ?, reason = ?, error = ?, sealed_error = ?, signature = ?, attempts = ?,
          stored_fingerprint = ?, stored_fingerprint_version = ?, waited_for = 0,
          setbacks = 0, due_at = NULL, kept_at = %s
        WHERE id = ?
        """
            .formatted(table, dialect.now());
    delay =
        """
        UPDATE %s
        SET status = 'DELAYED', due_at = %s, waited_for = ?, setbacks = 0, reason = NULL, error = '',
          sealed_error = NULL, signature = '', attempts = 0
        WHERE id = ? AND released_as IS NULL
        """
            .formatted(table, within);
    delete = "DELETE FROM %s WHERE id = ?".formatted(table);
    deleteWithoutBody =
        """
        DELETE FROM %s
        WHERE consumer = ? AND message_id = ? AND variant = ? AND body_type = 'NOT_KEPT'
        """
            .formatted(table);
    adopt =
        """
        UPDATE %s
        SET captured = TRUE, status = ?, ordering_key = ?, due_at = ?, reply_allowed = ?, reason = NULL,
          error = '', sealed_error = NULL, signature = '', attempts = 0, waited_for = 0,
          setbacks = 0, kept_at = NULL
        WHERE id = ?
        """
            .formatted(table);
  }

  private static String insert(Dialect dialect, String table, String due) {
    return """
    INSERT INTO %s
      (consumer, message_id, status, captured, variant, precedence, ordering_key, due_at,
       waited_for, reply_allowed, reason, error, sealed_error, signature, attempts,
       stored_fingerprint, stored_fingerprint_version, source, event_type, aggregate_type,
       aggregate_id, aggregate_version, data_subject, fingerprint, fingerprint_version, headers,
       destination, reply_to, size, %s, kept_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, %s, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
      ?, ?, ?, ?, ?, ?, CASE WHEN ? THEN %s END)
    %s
    """
        .formatted(table, Columns.NAMES, due, dialect.now(), dialect.onConflictDoNothing());
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
      @Nullable Fingerprint stored) {
    /** One that waits for nobody's decision. */
    private Said(StoredStatus status, boolean isCaptured) {
      this(status, isCaptured, "", null, null, "", 0, null);
    }
  }

  /**
   * When it has its turn.
   *
   * @param key its ordering key
   * @param due an {@link Instant}, or a {@link Duration} from now
   * @param waitedFor how many failures of its handler it has waited for then
   * @param mayReply whether a reply may be sent to the destination that its sender chose
   */
  private record Turn(
      @Nullable String key, @Nullable Object due, int waitedFor, boolean mayReply) {}

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
                new Said(status, true),
                new Turn(key, due, 0, mayReply))
            : adopt(connection, delivery, row, status, key, due, mayReply);
    return isNew ? Optional.empty() : Optional.of(one(connection, delivery, messageId));
  }

  private Fingerprint one(Connection connection, Delivery delivery, String messageId)
      throws SQLException {
    return there(connection, delivery.consumer(), messageId, "")
        .orElseThrow(
            () ->
                new SQLException("the stored message %s existed and is gone".formatted(messageId)));
  }

  /** Has a claimed copy of a message be captured, in its row. */
  private boolean adopt(
      Connection connection,
      Delivery delivery,
      StoredRow row,
      StoredStatus status,
      @Nullable String key,
      @Nullable Instant due,
      boolean mayReply)
      throws SQLException {
    if (settle(connection, delivery, row, "").isEmpty()) {
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
        ? insert(
            connection, delivery, quarantined.messageId(), said, new Turn(null, null, 0, false))
        : change(connection, delivery, row, said);
  }

  /**
   * Parks a message, or has it wait for the versions before it, unless one with its id is stored.
   *
   * @param mayReply whether a reply may be sent to the destination that its sender chose
   * @return empty if it was stored now; else the fingerprint of the message that is stored
   */
  public Optional<Fingerprint> park(Connection connection, Parked parked, boolean mayReply)
      throws SQLException {
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
            ? insert(
                connection, delivery, parked.messageId(), said, new Turn(null, null, 0, mayReply))
            : change(connection, delivery, row, said);
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

  /**
   * Has a message handled after a delay: from its row, or from a new one.
   *
   * @param mayReply whether a reply may be sent to the destination that its sender chose
   * @return empty if it was stored now or still has its row; else the fingerprint of the message
   *     with its id that is stored
   */
  public Optional<Fingerprint> delay(
      Connection connection, Delivery delivery, DelayedRetry retry, boolean mayReply)
      throws SQLException {
    StoredRow row = delivery.stored();
    if (row != null) {
      boolean isDelayed = delayed(connection, row, retry);
      if (!isDelayed && settle(connection, delivery, row, "").isPresent()) {
        isDelayed = delayed(connection, row, retry);
      }
      return isDelayed
          ? Optional.empty()
          : Optional.of(one(connection, delivery, retry.messageId()));
    }
    boolean isNew =
        insert(
            connection,
            delivery,
            retry.messageId(),
            new Said(StoredStatus.DELAYED, false),
            new Turn(null, retry.delay(), retry.waitedFor(), mayReply));
    return isNew ? Optional.empty() : Optional.of(one(connection, delivery, retry.messageId()));
  }

  /** False if a person has released it under an id that is not yet its own. */
  private boolean delayed(Connection connection, StoredRow row, DelayedRetry retry)
      throws SQLException {
    return Sql.update(connection, delay, retry.delay().toMillis(), retry.waitedFor(), row.id()) > 0;
  }

  /** Deletes the row of a claimed message that is done. */
  public void delete(Connection connection, long id) throws SQLException {
    Sql.update(connection, delete, id);
  }

  private boolean insert(
      Connection connection, Delivery delivery, @Nullable String messageId, Said said, Turn turn)
      throws SQLException {
    Place place = Place.stored(delivery.consumer(), messageId, delivery.fingerprint());
    Subject subject = delivery.subject();
    Content content = delivery.content().get();
    return dialect.insertIfAbsent(
        connection,
        turn.due() instanceof Duration ? insertDelayed : insert,
        delivery.consumer(),
        messageId,
        said.status().name(),
        said.isCaptured(),
        said.variant(),
        Schedule.HIGHEST_PRIORITY - delivery.schedule().priority(),
        turn.key(),
        turn.due() instanceof Duration delay ? (Object) delay.toMillis() : turn.due(),
        turn.waitedFor(),
        turn.mayReply(),
        why(place, said),
        delivery.source(),
        delivery.eventType(),
        subject == null ? null : subject.type(),
        subject == null ? null : subject.id(),
        subject == null ? null : subject.version(),
        delivery.dataSubject(),
        Fingerprinted.values(delivery.fingerprint()),
        delivery.headers(),
        delivery.destination(),
        delivery.replyTo(),
        content.size(),
        contents.seal(place, content).values(),
        !said.isCaptured() && said.status() != StoredStatus.DELAYED);
  }

  /** Why a message is kept aside. */
  private Sql.Values why(Place place, Said said) {
    Stored error = contents.texts().seal(place, SealedTexts.ERROR, said.error());
    return Sql.values(
        said.reason(),
        error.clearOrEmpty(),
        error.sealed(),
        said.signature(),
        said.attempts(),
        Fingerprinted.values(said.stored()));
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
   * @return false if another row has its id; if of the same content, its own is deleted
   */
  private boolean change(Connection connection, Delivery delivery, StoredRow row, Said said)
      throws SQLException {
    Optional<Place> place = settle(connection, delivery, row, said.variant());
    if (place.isEmpty()) {
      return false;
    }
    Sql.update(
        connection, change, said.status().name(), said.variant(), why(place.get(), said), row.id());
    return true;
  }

  /**
   * Has a claimed message that a person has released under another id take that id for good, with
   * the properties of its copy: by its own it would come under the old id again.
   *
   * @return its place; empty if another row has it: of the same content with its body, and then its
   *     own is deleted, or of other content, and then its own is as it was
   */
  private Optional<Place> settle(
      Connection connection, Delivery delivery, StoredRow row, String variant) throws SQLException {
    String consumer = delivery.consumer();
    Own own = own(connection, row.id());
    boolean isRenamed = own.releasedAs() != null;
    String id = isRenamed ? own.releasedAs() : own.messageId();
    Optional<Fingerprint> other =
        id != null && (isRenamed || !variant.isEmpty())
            ? there(connection, consumer, id, variant)
            : Optional.empty();
    if (other.isPresent()) {
      if (delivery.fingerprint().contradicts(other.get())) {
        return Optional.empty();
      }
      if (Sql.update(connection, deleteWithoutBody, consumer, id, variant) == 0) {
        delete(connection, row.id());
        return Optional.empty();
      }
    }
    Place place = Place.stored(consumer, id, own.fingerprint());
    if (isRenamed) {
      Place before = Place.stored(consumer, own.messageId(), own.fingerprint());
      Content old = contents.open(before, own.content().get());
      String properties =
          (delivery.canBeKept() ? delivery.content() : delivery.metadata()).get().properties();
      Content renamed = new Content(old.type(), old.text(), old.bytes(), properties);
      Sql.update(
          connection,
          rename,
          contents.seal(place, renamed).values(),
          renamed.size(),
          variant,
          row.id());
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

  private Optional<Fingerprint> there(
      Connection connection, String consumer, String messageId, String variant)
      throws SQLException {
    return Sql.first(
        connection, there, row -> Fingerprinted.get(row, 1), consumer, messageId, variant);
  }
}
