package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.inbox.message.Outcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Gives captured messages up, at their place in their ordering key. Thread-safe. */
final class CapturedErasure {
  private final CapturedStore store;
  private final String read;
  private final String delete;

  /**
   * @param tables where the tables are
   * @param store locks keys and promotes the next message of one
   */
  CapturedErasure(TableNames tables, CapturedStore store) {
    this.store = store;
    String table = tables.qualified("inbox_captured");
    read =
        "SELECT consumer, message_id, status, ordering_key FROM %s WHERE id = ?".formatted(table);
    delete = "DELETE FROM %s WHERE id = ?".formatted(table);
  }

  /**
   * A captured message.
   *
   * @param consumer its consumer
   * @param messageId its id
   * @param status its state
   * @param key its ordering key, if it has one
   */
  record Found(String consumer, String messageId, String status, @Nullable String key) {
    private boolean isHeld() {
      return status.equals("HELD");
    }
  }

  /**
   * Deletes a message, records it as discarded unless it was handled, and lets the next one with
   * its key be handled. Waits while a worker has it.
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
    if (seen.get().isHeld() && key != null) { // in the order in which others lock them
      store.lockKey(connection, seen.get().consumer(), key);
    }
    Optional<Found> locked = find(connection, read + " FOR UPDATE", id);
    if (!locked.equals(seen) || seen.get().status().equals("PARKED")) {
      return Optional.empty();
    }
    Found message = locked.get();
    store.complete(connection, message.consumer(), message.messageId(), Outcome.DISCARDED.name());
    try (PreparedStatement statement = connection.prepareStatement(delete)) {
      statement.setLong(1, id);
      statement.executeUpdate();
    }
    boolean isInWork = message.status().equals("PENDING") || message.status().equals("DELAYED");
    if (key != null && isInWork && store.lockKey(connection, message.consumer(), key)) {
      store.promote(connection, message.consumer(), key);
    }
    return locked;
  }

  private static Optional<Found> find(Connection connection, String sql, long id)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(
                new Found(row.getString(1), row.getString(2), row.getString(3), row.getString(4)))
            : Optional.empty();
      }
    }
  }
}
