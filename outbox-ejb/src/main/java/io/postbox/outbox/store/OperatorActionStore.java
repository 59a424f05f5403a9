package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.store.ClaimStore.HeldKey;
import io.postbox.outbox.store.DeadLetterStore.DeadLetterRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Redrives and discards messages for an operator, in the transaction that holds the partition's row
 * lock. Thread-safe.
 */
public final class OperatorActionStore {
  private static final String DEAD = "status = 'DEAD'";
  private static final String WAITING = "status IN ('PENDING', 'DELAYED', 'HELD')";

  private final HeldKeys heldKeys;
  private final String hold;
  private final String redrive;
  private final String waitAgain;
  private final Optional<ExpiredTogether> together;
  private final String archive;
  private final String delete;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public OperatorActionStore(Dialect dialect, TableNames tables) {
    this(dialect, tables, DEAD, Archive.copy(dialect, tables, "DISCARDED"));
  }

  /** The store for waiting messages, which can only be discarded. */
  public static OperatorActionStore aboutWaiting(Dialect dialect, TableNames tables) {
    return new OperatorActionStore(
        dialect, tables, WAITING, Archive.copy(dialect, tables, "DISCARDED"));
  }

  /** The store for dead letters of which nothing stays but that they were there. */
  static OperatorActionStore erasingDead(Dialect dialect, TableNames tables) {
    return new OperatorActionStore(dialect, tables, DEAD, Archive.copyErased(dialect, tables));
  }

  /** The store for waiting messages of which nothing stays but that they were there. */
  static OperatorActionStore erasingWaiting(Dialect dialect, TableNames tables) {
    return new OperatorActionStore(dialect, tables, WAITING, Archive.copyErased(dialect, tables));
  }

  private OperatorActionStore(Dialect dialect, TableNames tables, String those, String copy) {
    String message = tables.qualified("outbox_message");
    String these = "WHERE %s AND partition_no = ? AND %s".formatted(those, Seqs.CONDITION);
    hold =
        "UPDATE %s SET status = 'HELD', attempts = 0, %s %s"
            .formatted(message, unlessOverBy(dialect.now()), these);
    redrive =
        "UPDATE %s SET status = ?, due_at = ?, attempts = 0, %s %s"
            .formatted(message, unlessOverBy("?"), these);
    waitAgain =
        "UPDATE %s SET status = 'HELD' WHERE status = 'DEAD' AND partition_no = ? AND %s"
            .formatted(message, Seqs.CONDITION);
    together = those.equals(DEAD) ? Optional.of(new ExpiredTogether(tables)) : Optional.empty();
    archive = copy + these;
    delete = "DELETE FROM %s %s".formatted(message, these);
    heldKeys = new HeldKeys(dialect, tables);
  }

  /**
   * Removes a time to live that is over by then: otherwise the letter would expire again at once.
   */
  private static String unlessOverBy(String time) {
    return "expires_at = CASE WHEN expires_at > %s THEN expires_at END".formatted(time);
  }

  /** Makes messages hold their keys, which are not held yet. */
  public void holdKeys(Connection connection, int partition, Collection<DeadLetterRow> heads)
      throws SQLException {
    heldKeys.hold(connection, partition, heads.stream().map(OperatorActionStore::key).toList());
  }

  /**
   * Makes dead letters wait behind the message that holds their key, and removes a time to live
   * that is over.
   */
  public void hold(Connection connection, int partition, Collection<Long> seqs)
      throws SQLException {
    if (seqs.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(hold)) {
      update(statement, partition, seqs);
    }
  }

  /**
   * Puts dead letters back to work, and removes a time to live that is over when they are due.
   *
   * @param byDueTime the letters by the time at which they are due
   * @param now letters that are due later become delayed
   */
  public void redrive(
      Connection connection, int partition, Map<Instant, List<Long>> byDueTime, Instant now)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(redrive)) {
      for (Map.Entry<Instant, List<Long>> each : byDueTime.entrySet()) {
        statement.setString(1, each.getKey().isAfter(now) ? "DELAYED" : "PENDING");
        OffsetDateTime due = OffsetDateTime.ofInstant(each.getKey(), ZoneOffset.UTC);
        statement.setObject(2, due);
        statement.setObject(3, due);
        bind(statement, 4, partition, each.getValue());
        statement.addBatch();
      }
      statement.executeBatch();
    }
    heldKeys.notePutBack(connection, partition);
  }

  /**
   * Makes dead letters wait that became so together with one that holds their key and is about to
   * be redriven or discarded without them. When it is gone, the relay finds the first of the others
   * expired again, and that one holds the key.
   */
  public void waitAgain(Connection connection, int partition, List<DeadLetterRow> letters)
      throws SQLException {
    if (!letters.isEmpty()) {
      try (PreparedStatement statement = connection.prepareStatement(waitAgain)) {
        update(statement, partition, letters.stream().map(DeadLetterRow::seq).toList());
      }
    }
  }

  /**
   * Moves messages to the archive, and releases those behind them. Dead letters that became so
   * together with one of them wait again.
   *
   * @return how many were moved
   */
  public int discard(Connection connection, int partition, List<DeadLetterRow> letters)
      throws SQLException {
    List<DeadLetterRow> left =
        together.isEmpty()
            ? List.of()
            : together
                .get()
                .with(connection, partition, letters, DeadLetterConditions.NONE)
                .wanted();
    return discard(connection, partition, new DeadLetterStore.Letters(letters, left));
  }

  /**
   * Moves dead letters to the archive, and releases those behind them.
   *
   * @return how many were moved
   */
  public int discard(Connection connection, int partition, DeadLetterStore.Letters some)
      throws SQLException {
    waitAgain(connection, partition, some.left());
    List<DeadLetterRow> letters = some.chosen();
    List<Long> seqs = letters.stream().map(DeadLetterRow::seq).toList();
    try (PreparedStatement statement = connection.prepareStatement(archive)) {
      update(statement, partition, seqs);
    }
    int deleted;
    try (PreparedStatement statement = connection.prepareStatement(delete)) {
      deleted = update(statement, partition, seqs);
    }
    List<HeldKey> released =
        letters.stream()
            .filter(it -> it.key().isPresent() && it.isFirst())
            .map(OperatorActionStore::key)
            .toList();
    heldKeys.release(connection, partition, released);
    return deleted;
  }

  private static HeldKey key(DeadLetterRow head) {
    return new HeldKey(head.destination(), head.key().orElseThrow(), head.id());
  }

  private static int update(PreparedStatement statement, int partition, Collection<Long> seqs)
      throws SQLException {
    bind(statement, 1, partition, seqs);
    return statement.executeUpdate();
  }

  private static void bind(
      PreparedStatement statement, int first, int partition, Collection<Long> seqs)
      throws SQLException {
    statement.setInt(first, partition);
    Seqs.bind(statement, first + 1, seqs);
  }
}
