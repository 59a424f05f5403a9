package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.outbox.store.DeadLetterStore.DeadLetterRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the dead letters that became so together with one that holds their key. Messages of a key
 * that expire in one batch become dead letters in one transaction, in their order, and the first
 * one holds the key for all of them: the others died when it did or just after, and are behind it.
 * Letters that had died before hold nobody, because messages were sent past them. That a dead
 * letter holds a key proves that messages had to wait for it, whatever the policy is now. Runs in
 * the transaction that holds the partition's row lock. Thread-safe.
 */
final class ExpiredTogether {
  private final String select;

  ExpiredTogether(TableNames tables) {
    // As a truth value, so that H2 does not use the index on delayed messages.
    select =
        """
        SELECT m.seq, m.id, m.destination, m.ordering_key, h.head_id
        FROM %1$s d
        JOIN %2$s h
          ON h.partition_no = d.partition_no AND h.destination = d.destination
          AND h.ordering_key = d.ordering_key AND h.head_id = d.id
        JOIN %1$s m
          ON m.status = 'DEAD' AND m.partition_no = d.partition_no
          AND m.destination = d.destination AND m.ordering_key = d.ordering_key
          AND m.seq > d.seq AND (m.due_at >= d.due_at) IS TRUE
        WHERE d.status = 'DEAD' AND d.partition_no = ? AND %3$s %%s
        ORDER BY m.seq
        """
            .formatted(
                tables.qualified("outbox_message"),
                tables.qualified("outbox_held_key"),
                Seqs.CONDITION.replace("seq ", "d.seq "));
  }

  /** Those that died with letters of the list and are not in it, in order. */
  List<DeadLetterRow> with(Connection connection, int partition, Collection<DeadLetterRow> letters)
      throws SQLException {
    return with(connection, partition, letters, DeadLetterConditions.NONE);
  }

  /**
   * Those that died with letters of the list and are not in it, in order.
   *
   * @param those selects some of them
   */
  List<DeadLetterRow> with(
      Connection connection,
      int partition,
      Collection<DeadLetterRow> letters,
      DeadLetterConditions those)
      throws SQLException {
    List<DeadLetterRow> found = new ArrayList<>();
    List<Long> heads =
        letters.stream()
            .filter(it -> it.key().isPresent() && it.isFirst())
            .map(DeadLetterRow::seq)
            .toList();
    if (heads.isEmpty()) {
      return found;
    }
    Set<Long> known = new HashSet<>();
    letters.forEach(letter -> known.add(letter.seq()));
    try (PreparedStatement statement = connection.prepareStatement(select.formatted(those.sql()))) {
      statement.setInt(1, partition);
      those.bind(statement, Seqs.bind(statement, 2, heads));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          if (!known.contains(row.getLong("seq"))) {
            found.add(DeadLetterStore.heldLetter(row));
          }
        }
      }
    }
    return found;
  }
}
