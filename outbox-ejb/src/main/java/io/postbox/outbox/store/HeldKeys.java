package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.store.ClaimStore.HeldKey;
import io.postbox.outbox.store.ClaimStore.Hold;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * Holds ordering keys, so that their followers wait, and releases them; in the transaction that
 * holds the partition's row lock. Thread-safe.
 *
 * <p>Followers go back to work a slice at a time, so that no statement grows with their number.
 * While there are more, the key stays held and drains: the last message of the slice becomes its
 * head, and the next slice follows when that message is sent. Messages in front of it may be sent;
 * messages behind it wait, including those enqueued meanwhile. If a message of the slice fails, it
 * becomes the head, and only the rest of the slice has to wait again.
 */
final class HeldKeys {
  /** How many followers one statement puts back to work. */
  static final int SLICE = 1_000;

  private final String among;
  private final String hold;
  private final String takeOver;
  private final String choose;
  private final String putBack;
  private final String forget;
  private final String drain;
  private final String notePutBack;

  HeldKeys(Dialect dialect, TableNames tables) {
    this(dialect, tables, SLICE);
  }

  HeldKeys(Dialect dialect, TableNames tables, int slice) {
    String heldKey = tables.qualified("outbox_held_key");
    String message = tables.qualified("outbox_message");
    String key = "partition_no = ? AND destination = ? AND ordering_key = ?";
    among =
        """
        SELECT destination, ordering_key, head_id, released_to FROM %s
        WHERE partition_no = ? AND destination = ? AND ordering_key = ANY (?)
        """
            .formatted(heldKey);
    hold =
        """
        INSERT INTO %s (partition_no, destination, ordering_key, head_id) VALUES (?, ?, ?, ?)
        """
            .formatted(heldKey);
    takeOver =
        """
        UPDATE %s SET head_id = ?, released_to = 0, since = DEFAULT
        WHERE %s AND released_to > 0
        """
            .formatted(heldKey, key);
    // Selects no row if fewer messages wait than a slice has.
    choose =
        """
        UPDATE %s h SET released_to = COALESCE(
          (SELECT m.seq FROM %s m
           WHERE m.status = 'HELD' AND m.partition_no = h.partition_no
             AND m.destination = h.destination AND m.ordering_key = h.ordering_key
           ORDER BY m.status, m.partition_no, m.destination, m.ordering_key, m.seq
           OFFSET %s ROWS FETCH FIRST 1 ROW ONLY), 0)
        WHERE %s AND head_id = ?
        """
            .formatted(heldKey, message, slice - 1, key);
    putBack =
        new OutboxDialect(dialect)
            .putBackFirst(
                message,
                """
                status = 'HELD' AND %s AND seq <= COALESCE(
                  (SELECT NULLIF(released_to, 0) FROM %s WHERE %s), %s)
                """
                    .formatted(key, heldKey, key, Long.MAX_VALUE),
                slice);
    forget = "DELETE FROM %s WHERE %s AND head_id = ? AND released_to = 0".formatted(heldKey, key);
    drain =
        """
        UPDATE %s h SET head_id =
          (SELECT m.id FROM %s m WHERE m.partition_no = h.partition_no AND m.seq = h.released_to)
        WHERE %s AND head_id = ? AND released_to > 0
        """
            .formatted(heldKey, message, key);
    notePutBack =
        "UPDATE %s SET put_back = put_back + 1 WHERE partition_no = ?"
            .formatted(tables.qualified("outbox_partition"));
  }

  /** Which of these keys of a lane are held, and by which message. */
  List<Hold> among(Connection connection, Lane lane, Collection<String> keys) throws SQLException {
    return keys.isEmpty()
        ? List.of()
        : Sql.list(
            connection,
            among,
            row ->
                new Hold(
                    new HeldKey(row.getString(1), row.getString(2), row.getObject(3, UUID.class)),
                    row.getLong(4)),
            lane.partition(),
            lane.destination(),
            Sql.texts(keys));
  }

  /** Makes messages hold their keys, which are not held yet. */
  void hold(Connection connection, int partition, Collection<HeldKey> keys) throws SQLException {
    if (!keys.isEmpty()) {
      Sql.batch(connection, hold, keys, key -> withHead(partition, key));
    }
  }

  /** Makes a message hold its key, which is not held yet or drains. */
  void holdOrTakeOver(Connection connection, int partition, HeldKey key) throws SQLException {
    if (Sql.update(connection, takeOver, key.headId(), key(partition, key)) == 0) {
      hold(connection, partition, List.of(key));
    }
  }

  /** Releases the followers of keys whose heads are gone: all of them, or the first slice. */
  void release(Connection connection, int partition, Collection<HeldKey> keys) throws SQLException {
    if (keys.isEmpty()) {
      return;
    }
    Sql.batch(connection, choose, keys, key -> withHead(partition, key));
    Sql.batch(
        connection, putBack, keys, key -> new Object[] {key(partition, key), key(partition, key)});
    int forgotten = Sql.batch(connection, forget, keys, key -> withHead(partition, key));
    if (forgotten < keys.size()) {
      Sql.batch(connection, drain, keys, key -> withHead(partition, key));
    }
    notePutBack(connection, partition);
  }

  /**
   * Counts a release in the partition's row, so that relays notice messages that may be in front of
   * their low-water marks.
   */
  void notePutBack(Connection connection, int partition) throws SQLException {
    Sql.update(connection, notePutBack, partition);
  }

  private static Object[] withHead(int partition, HeldKey key) {
    return new Object[] {key(partition, key), key.headId()};
  }

  private static Sql.Values key(int partition, HeldKey key) {
    return new Sql.Values(List.of(partition, key.destination(), key.orderingKey()));
  }
}
