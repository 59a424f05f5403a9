package io.postbox.outbox.store;

import io.postbox.outbox.config.TableNames;
import io.postbox.outbox.store.DeadLetterStore.Letter;
import io.postbox.outbox.store.RelayStore.HeldKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * What becomes of dead letters once a person has decided, in the transaction that holds the
 * partition's row lock. Thread-safe.
 */
public final class DecisionStore {
  private final HeldKeys heldKeys;
  private final String hold;
  private final String redrive;
  private final String archive;
  private final String delete;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public DecisionStore(Dialect dialect, TableNames tables) {
    this(dialect, tables, "status = 'DEAD'");
  }

  /** Likewise about messages that wait, which can be discarded. */
  public static DecisionStore aboutWaiting(Dialect dialect, TableNames tables) {
    return new DecisionStore(dialect, tables, "status IN ('PENDING', 'DELAYED', 'HELD')");
  }

  private DecisionStore(Dialect dialect, TableNames tables, String those) {
    String message = tables.qualified("outbox_message");
    String these = "WHERE %s AND partition_no = ? AND %s".formatted(those, Seqs.CONDITION);
    hold = "UPDATE %s SET status = 'HELD', attempts = 0 %s".formatted(message, these);
    redrive = "UPDATE %s SET status = ?, due_at = ?, attempts = 0 %s".formatted(message, these);
    archive = Archive.copy(dialect, tables, "DISCARDED") + these;
    delete = "DELETE FROM %s %s".formatted(message, these);
    heldKeys = new HeldKeys(tables);
  }

  /** Has messages hold their keys, which nobody holds yet. */
  public void holdKeys(Connection connection, int partition, Collection<Letter> heads)
      throws SQLException {
    heldKeys.hold(connection, partition, heads.stream().map(DecisionStore::key).toList());
  }

  /** Lets dead letters wait behind the message that holds their key. */
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
   * Puts dead letters back to work.
   *
   * @param byDueTime which are due when
   * @param now those due later are delayed
   */
  public void redrive(
      Connection connection, int partition, Map<Instant, List<Long>> byDueTime, Instant now)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(redrive)) {
      for (Map.Entry<Instant, List<Long>> each : byDueTime.entrySet()) {
        statement.setString(1, each.getKey().isAfter(now) ? "DELAYED" : "PENDING");
        statement.setObject(2, OffsetDateTime.ofInstant(each.getKey(), ZoneOffset.UTC));
        bind(statement, 3, partition, each.getValue());
        statement.addBatch();
      }
      statement.executeBatch();
    }
    heldKeys.notePutBack(connection, partition);
  }

  /**
   * Moves dead letters to the archive, and lets what waited behind them go on.
   *
   * @return how many were moved
   */
  public int discard(Connection connection, int partition, List<Letter> letters)
      throws SQLException {
    List<Long> seqs = letters.stream().map(Letter::seq).toList();
    try (PreparedStatement statement = connection.prepareStatement(archive)) {
      update(statement, partition, seqs);
    }
    List<HeldKey> released =
        letters.stream()
            .filter(it -> it.key().isPresent() && it.isFirst())
            .map(DecisionStore::key)
            .toList();
    heldKeys.release(connection, partition, released);
    try (PreparedStatement statement = connection.prepareStatement(delete)) {
      return update(statement, partition, seqs);
    }
  }

  private static HeldKey key(Letter head) {
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
