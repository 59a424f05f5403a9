package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Sql;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.Standing;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Gives messages up that are not kept aside: captured ones at their place in their ordering key.
 * Thread-safe.
 */
final class CapturedErasure {
  private final CapturedStore store;
  private final VersionStore versions;
  private final Predicate<String> isOrdered;
  private final KeptRows rows;
  private final String read;

  /**
   * @param tables where the tables are
   * @param store locks keys and promotes the next message of one
   * @param versions knows the places of aggregates
   * @param isOrdered whether a consumer handles versions in their order
   */
  CapturedErasure(
      TableNames tables, CapturedStore store, VersionStore versions, Predicate<String> isOrdered) {
    this.store = store;
    this.versions = versions;
    this.isOrdered = isOrdered;
    rows = new KeptRows(Kind.PARKED, tables);
    read =
        """
        SELECT consumer, message_id, status, ordering_key, aggregate_type, aggregate_id,
          aggregate_version, handled OR status = 'PROCESSED', captured, released_as
        FROM %s
        WHERE id = ?
        """
            .formatted(tables.qualified("inbox_stored"));
  }

  /**
   * A message that is not kept aside.
   *
   * @param consumer its consumer
   * @param messageId its id, if it has a usable one
   * @param status its state
   * @param key its ordering key, if it has one
   * @param aggregate its aggregate with its version, if it has one
   * @param isHandled whether at most its reply is left to do
   * @param isCaptured whether its consumer handles it from its row
   * @param releasedAs the id under which a person has released it, if that is another one
   */
  record Found(
      String consumer,
      @Nullable String messageId,
      StoredStatus status,
      @Nullable String key,
      @Nullable Aggregate aggregate,
      boolean isHandled,
      boolean isCaptured,
      @Nullable String releasedAs) {
    private boolean isHeld() {
      return status == StoredStatus.HELD;
    }

    private boolean isInWork() {
      return status == StoredStatus.PENDING || status == StoredStatus.DELAYED;
    }
  }

  /**
   * Deletes a message, records it as discarded unless it was handled, and lets the next one with
   * its key, and the next version of its aggregate, be handled.
   *
   * @param waits whether to wait while a worker has it, or another transaction its aggregate or key
   * @return the message; empty if it is not captured any more, is in another state since it was
   *     read, or another transaction has it: then what this did has to be rolled back, and the
   *     message looked for again
   */
  Optional<Found> giveUp(Connection connection, long id, boolean waits) throws SQLException {
    Optional<Found> seen = Sql.first(connection, read, CapturedErasure::found, id);
    if (seen.isEmpty()) {
      return Optional.empty();
    }
    Found message = seen.get();
    Behind behind = // in the order in which others lock them
        message.isHeld() ? lockBehind(connection, message, waits) : Behind.NOTHING;
    if (behind.isBusy()) {
      return Optional.empty();
    }
    Optional<Found> locked =
        Sql.first(
            connection,
            read + (waits ? " FOR UPDATE" : " FOR UPDATE SKIP LOCKED"),
            CapturedErasure::found,
            id);
    if (!locked.equals(seen) || message.status().isKept()) {
      return Optional.empty();
    }
    if (!message.isHeld()) {
      behind = lockBehind(connection, message, waits);
      if (behind.isBusy()) {
        return Optional.empty();
      }
    }
    String messageId = message.messageId();
    if (messageId != null && message.isCaptured()) {
      store.complete(connection, message.consumer(), messageId, Outcome.DISCARDED.name());
    } else if (messageId != null && message.releasedAs() == null) {
      rows.remember(connection, List.of(id));
    }
    rows.delete(connection, List.of(id));
    if (behind.place().isPresent() && message.aggregate() != null) {
      versions.passOver(connection, message.consumer(), message.aggregate(), behind.place().get());
    }
    String key = message.key();
    if (key != null && message.isInWork()) {
      store.promote(connection, message.consumer(), key);
    }
    return locked;
  }

  /**
   * What decides about the messages behind one, locked.
   *
   * @param isBusy whether another transaction has some of it; then nothing is to be changed
   * @param place that of the aggregate, if the message would have been a version of it
   */
  private record Behind(boolean isBusy, Optional<Standing> place) {
    static final Behind NOTHING = new Behind(false, Optional.empty());
    static final Behind BUSY = new Behind(true, Optional.empty());
  }

  private Behind lockBehind(Connection connection, Found message, boolean waits)
      throws SQLException {
    Optional<Standing> place = Optional.empty();
    if (message.aggregate() != null && !message.isHandled() && isOrdered.test(message.consumer())) {
      place =
          waits
              ? Optional.of(versions.lock(connection, message.consumer(), message.aggregate(), 0))
              : versions.lockUnlessBusy(connection, message.consumer(), message.aggregate(), 0);
      if (place.isEmpty()) {
        return Behind.BUSY;
      }
    }
    return isKeyBusy(connection, message, waits) ? Behind.BUSY : new Behind(false, place);
  }

  /** Locks the key of a message that has a turn in it; tells whether another transaction has it. */
  private boolean isKeyBusy(Connection connection, Found message, boolean waits)
      throws SQLException {
    String key = message.key();
    if (key == null || !(message.isHeld() || message.isInWork())) {
      return false;
    }
    if (waits) {
      store.lockKey(connection, message.consumer(), key);
      return false;
    }
    return store.isKeyBusy(connection, message.consumer(), key);
  }

  private static @Nullable Aggregate aggregate(ResultSet row) throws SQLException {
    String type = row.getString(5);
    String id = row.getString(6);
    long version = row.getLong(7);
    return type == null || id == null || row.wasNull() ? null : new Aggregate(type, id, version);
  }

  private static Found found(ResultSet row) throws SQLException {
    return new Found(
        row.getString(1),
        row.getString(2),
        StoredStatus.valueOf(row.getString(3)),
        row.getString(4),
        aggregate(row),
        row.getBoolean(8),
        row.getBoolean(9),
        row.getString(10));
  }
}
