package io.postbox.outbox.store;

import io.postbox.outbox.config.TableNames;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.store.RelayStore.HeldKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * The ordering keys whose followers wait, and what lets these go; in the transaction that holds the
 * partition's row lock. Thread-safe.
 */
final class HeldKeys {
  private final String among;
  private final String hold;
  private final String forget;
  private final String putBack;
  private final String notePutBack;

  HeldKeys(TableNames tables) {
    String heldKey = tables.qualified("outbox_held_key");
    among =
        """
        SELECT destination, ordering_key, head_id FROM %s
        WHERE partition_no = ? AND destination = ? AND ordering_key = ANY (?)
        """
            .formatted(heldKey);
    hold =
        """
        INSERT INTO %s (partition_no, destination, ordering_key, head_id) VALUES (?, ?, ?, ?)
        """
            .formatted(heldKey);
    forget =
        """
        DELETE FROM %s
        WHERE partition_no = ? AND destination = ? AND ordering_key = ? AND head_id = ?
        """
            .formatted(heldKey);
    putBack =
        """
        UPDATE %s SET status = 'PENDING'
        WHERE status = 'HELD' AND partition_no = ? AND destination = ? AND ordering_key = ?
        """
            .formatted(tables.qualified("outbox_message"));
    notePutBack =
        "UPDATE %s SET put_back = put_back + 1 WHERE partition_no = ?"
            .formatted(tables.qualified("outbox_partition"));
  }

  /** Which of these keys of a lane are held, and by which message. */
  List<HeldKey> among(Connection connection, Lane lane, Collection<String> keys)
      throws SQLException {
    List<HeldKey> held = new ArrayList<>();
    if (keys.isEmpty()) {
      return held;
    }
    try (PreparedStatement statement = connection.prepareStatement(among)) {
      statement.setInt(1, lane.partition());
      statement.setString(2, lane.destination());
      statement.setArray(3, connection.createArrayOf("VARCHAR", keys.toArray()));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          held.add(new HeldKey(row.getString(1), row.getString(2), row.getObject(3, UUID.class)));
        }
      }
    }
    return held;
  }

  /** Has messages hold their keys, which nobody holds yet. */
  void hold(Connection connection, int partition, Collection<HeldKey> keys) throws SQLException {
    if (!keys.isEmpty()) {
      forEach(connection, hold, partition, keys, true);
    }
  }

  /** Lets the followers of keys go back to work. */
  void release(Connection connection, int partition, Collection<HeldKey> keys) throws SQLException {
    if (!keys.isEmpty()) {
      forEach(connection, forget, partition, keys, true);
      forEach(connection, putBack, partition, keys, false);
      notePutBack(connection, partition);
    }
  }

  /** Tells readers that messages have gone back to work that may be in front of where they are. */
  void notePutBack(Connection connection, int partition) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(notePutBack)) {
      statement.setInt(1, partition);
      statement.executeUpdate();
    }
  }

  private static void forEach(
      Connection connection, String sql, int partition, Collection<HeldKey> keys, boolean withHead)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (HeldKey key : keys) {
        statement.setInt(1, partition);
        statement.setString(2, key.destination());
        statement.setString(3, key.orderingKey());
        if (withHead) {
          statement.setObject(4, key.headId());
        }
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }
}
