package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.store.VersionStore.Place;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Gives captured messages up, at their place in their ordering key. Thread-safe. */
final class CapturedErasure {
  private final CapturedStore store;
  private final VersionStore versions;
  private final Predicate<String> isOrdered;
  private final String read;
  private final String delete;

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
    String table = tables.qualified("inbox_captured");
    read =
        """
        SELECT consumer, message_id, status, ordering_key, aggregate_type, aggregate_id,
          aggregate_version
        FROM %s
        WHERE id = ?
        """
            .formatted(table);
    delete = "DELETE FROM %s WHERE id = ?".formatted(table);
  }

  /**
   * A captured message.
   *
   * @param consumer its consumer
   * @param messageId its id
   * @param status its state
   * @param key its ordering key, if it has one
   * @param aggregate its aggregate with its version, if it has one
   */
  record Found(
      String consumer,
      String messageId,
      String status,
      @Nullable String key,
      @Nullable Aggregate aggregate) {
    private boolean isHeld() {
      return status.equals("HELD");
    }
  }

  /**
   * Deletes a message, records it as discarded unless it was handled, and lets the next one with
   * its key, and the next version of its aggregate, be handled. Waits while a worker has it.
   *
   * @return the message; empty if it is not captured any more, or is in another state since it was
   *     read, and has to be looked for again
   */
  Optional<Found> giveUp(Connection connection, long id) throws SQLException {
    Optional<Found> seen = find(connection, read, id);
    if (seen.isEmpty()) {
      return Optional.empty();
    }
    String key = seen.get().key();
    Optional<Place> before = Optional.empty();
    if (seen.get().isHeld() && key != null) { // in the order in which others lock them
      before = lockPlace(connection, seen.get());
      store.lockKey(connection, seen.get().consumer(), key);
    }
    Optional<Found> locked = find(connection, read + " FOR UPDATE", id);
    if (!locked.equals(seen) || seen.get().status().equals("PARKED")) {
      if (before.isPresent() && before.get().isNew() && seen.get().aggregate() != null) {
        versions.forget(connection, seen.get().consumer(), seen.get().aggregate());
      }
      return Optional.empty();
    }
    Found message = locked.get();
    Optional<Place> place = lockPlace(connection, message);
    store.complete(connection, message.consumer(), message.messageId(), Outcome.DISCARDED.name());
    try (PreparedStatement statement = connection.prepareStatement(delete)) {
      statement.setLong(1, id);
      statement.executeUpdate();
    }
    if (place.isPresent() && message.aggregate() != null) {
      versions.passOver(connection, message.consumer(), message.aggregate(), place.get());
    }
    boolean isInWork = message.status().equals("PENDING") || message.status().equals("DELAYED");
    if (key != null && isInWork && store.lockKey(connection, message.consumer(), key)) {
      store.promote(connection, message.consumer(), key);
    }
    return locked;
  }

  /** The place of the aggregate whose version this message would have been. */
  private Optional<Place> lockPlace(Connection connection, Found message) throws SQLException {
    return message.aggregate() == null
            || message.status().equals("PROCESSED")
            || !isOrdered.test(message.consumer())
        ? Optional.empty()
        : Optional.of(versions.lock(connection, message.consumer(), message.aggregate(), 0));
  }

  private static @Nullable Aggregate aggregate(ResultSet row) throws SQLException {
    String type = row.getString(5);
    String id = row.getString(6);
    long version = row.getLong(7);
    return type == null || id == null || row.wasNull() ? null : new Aggregate(type, id, version);
  }

  private static Optional<Found> find(Connection connection, String sql, long id)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(
                new Found(
                    row.getString(1),
                    row.getString(2),
                    row.getString(3),
                    row.getString(4),
                    aggregate(row)))
            : Optional.empty();
      }
    }
  }
}
