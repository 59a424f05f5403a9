package io.postbox.outbox.store;

import io.postbox.outbox.config.TableNames;
import io.postbox.outbox.message.StoredMessage;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The relay's statements. All but {@link #partitionsWithWork} belong into the transaction that
 * holds the partition's row lock. Thread-safe.
 */
public final class RelayStore {
  private final String partitionsWithWork;
  private final String ping;
  private final String claim;
  private final String readDue;
  private final String delete;
  private final String fail;
  private final String hold;
  private final String holdKey;
  private final String releaseKey;
  private final String release;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public RelayStore(Dialect dialect, TableNames tables) {
    String message = tables.qualified("outbox_message");
    String partition = tables.qualified("outbox_partition");
    String heldKey = tables.qualified("outbox_held_key");

    // What keeps its order never waits for a clock before its first attempt: two clocks could
    // differ.
    String due =
        "(m.attempts = 0 AND m.ordering_key IS NOT NULL OR m.due_at <= %s)"
            .formatted(dialect.now());

    partitionsWithWork =
        """
        SELECT p.partition_no FROM %s p
        WHERE EXISTS (
          SELECT 1 FROM %s m
          WHERE m.partition_no = p.partition_no AND m.status = 'PENDING'
            AND %s AND NOT (m.destination = ANY (?)))
        """
            .formatted(partition, message, due);
    ping = "SELECT partition_no FROM %s WHERE partition_no = 0".formatted(partition);
    claim =
        "SELECT partition_no FROM %s WHERE partition_no = ? FOR UPDATE SKIP LOCKED"
            .formatted(partition);
    readDue =
        """
        SELECT m.seq, m.id, m.destination, m.ordering_key, m.aggregate_type, m.aggregate_id,
               m.event_type, m.schema_version, m.content_type, m.payload_text, m.payload_bytes,
               m.headers, m.attempts, m.created_at, %1$s AS read_at, h.head_id
        FROM %2$s m
        LEFT JOIN %3$s h
          ON h.partition_no = m.partition_no
          AND h.destination = m.destination AND h.ordering_key = m.ordering_key
        WHERE m.partition_no = ? AND m.status = 'PENDING'
          AND %4$s AND NOT (m.destination = ANY (?))
        ORDER BY m.seq
        FETCH FIRST ? ROWS ONLY
        """
            .formatted(dialect.now(), message, heldKey, due);
    delete = "DELETE FROM %s WHERE partition_no = ? AND seq = ANY (?)".formatted(message);
    fail =
        """
        UPDATE %s
        SET attempts = attempts + 1, status = ?, due_at = %s, last_error = ?
        WHERE partition_no = ? AND seq = ?
        """
            .formatted(message, dialect.nowPlusMillis());
    hold =
        "UPDATE %s SET status = 'HELD' WHERE partition_no = ? AND seq = ANY (?)".formatted(message);
    holdKey =
        """
        INSERT INTO %s (partition_no, destination, ordering_key, head_id) VALUES (?, ?, ?, ?)
        """
            .formatted(heldKey);
    releaseKey =
        "DELETE FROM %s WHERE partition_no = ? AND destination = ? AND ordering_key = ?"
            .formatted(heldKey);
    release =
        """
        UPDATE %s SET status = 'PENDING'
        WHERE partition_no = ? AND destination = ? AND ordering_key = ? AND status = 'HELD'
        """
            .formatted(message);
  }

  /** A partition's destination and ordering key, held because of the message at its head. */
  public record HeldKey(String destination, String orderingKey, UUID headId) {}

  /**
   * The outcome of an attempt that counts.
   *
   * @param seq which message
   * @param dead whether it was the last
   * @param backoff until the next may start
   * @param error what went wrong, cut to fit the column
   */
  public record Failure(long seq, boolean dead, Duration backoff, String error) {}

  /**
   * The partitions that have a due message, other than to these destinations. One statement, no
   * lock; the answer may be stale as soon as it is given.
   */
  public List<Integer> partitionsWithWork(Connection connection, Set<String> except)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(partitionsWithWork)) {
      statement.setArray(1, texts(connection, except));
      List<Integer> partitions = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          partitions.add(rows.getInt(1));
        }
      }
      return partitions;
    }
  }

  /** Finds out whether the database answers. */
  public void ping(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ping);
        ResultSet row = statement.executeQuery()) {
      row.next();
    }
  }

  /** Locks a partition's row until the transaction ends; false if another transaction has it. */
  public boolean claim(Connection connection, int partition) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(claim)) {
      statement.setInt(1, partition);
      try (ResultSet row = statement.executeQuery()) {
        return row.next();
      }
    }
  }

  /**
   * The first due messages of a claimed partition, in order, other than to these destinations.
   * Never to be merged with {@link #claim}: the snapshot of one statement for both would be older
   * than what the previous holder of the lock committed.
   */
  public List<StoredMessage> readDue(
      Connection connection, int partition, Set<String> except, int limit) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(readDue)) {
      statement.setInt(1, partition);
      statement.setArray(2, texts(connection, except));
      statement.setInt(3, limit);
      List<StoredMessage> messages = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          messages.add(Rows.message(row));
        }
      }
      return messages;
    }
  }

  /** Deletes sent messages; the answer is how many there were. */
  public int delete(Connection connection, int partition, Collection<Long> seqs)
      throws SQLException {
    return updateAll(connection, delete, partition, seqs);
  }

  /** Makes followers of held keys {@code HELD}, so that they are not read again. */
  public int hold(Connection connection, int partition, Collection<Long> seqs) throws SQLException {
    return updateAll(connection, hold, partition, seqs);
  }

  /** Counts failed attempts. */
  public int fail(Connection connection, int partition, List<Failure> failures)
      throws SQLException {
    int changed = 0;
    try (PreparedStatement statement = connection.prepareStatement(fail)) {
      for (Failure failure : failures) {
        statement.setString(1, failure.dead() ? "DEAD" : "PENDING");
        statement.setLong(2, failure.backoff().toMillis());
        statement.setString(3, failure.error());
        statement.setInt(4, partition);
        statement.setLong(5, failure.seq());
        changed += statement.executeUpdate();
      }
    }
    return changed;
  }

  /** Records that the followers of a key have to wait. */
  public void holdKey(Connection connection, int partition, HeldKey key) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(holdKey)) {
      statement.setInt(1, partition);
      statement.setString(2, key.destination());
      statement.setString(3, key.orderingKey());
      statement.setObject(4, key.headId());
      statement.executeUpdate();
    }
  }

  /** Puts the followers of a key back to work. */
  public void releaseKey(Connection connection, int partition, HeldKey key) throws SQLException {
    for (String sql : List.of(releaseKey, release)) {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.setInt(1, partition);
        statement.setString(2, key.destination());
        statement.setString(3, key.orderingKey());
        statement.executeUpdate();
      }
    }
  }

  private static int updateAll(
      Connection connection, String sql, int partition, Collection<Long> seqs) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, partition);
      statement.setArray(2, connection.createArrayOf("BIGINT", seqs.toArray()));
      return statement.executeUpdate();
    }
  }

  private static Array texts(Connection connection, Set<String> values) throws SQLException {
    return connection.createArrayOf("VARCHAR", values.toArray());
  }
}
