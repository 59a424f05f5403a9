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
        SELECT m.seq, m.id, m.destination, m.ordering_key, h.head_id,
          CASE WHEN m.status = 'DEAD' %%s THEN TRUE ELSE FALSE END AS is_one_of_those
        FROM %1$s d
        JOIN %2$s h
          ON h.partition_no = d.partition_no AND h.destination = d.destination
          AND h.ordering_key = d.ordering_key AND h.head_id = d.id
        JOIN %1$s m
          ON m.status = 'DEAD' AND m.partition_no = d.partition_no
          AND m.destination = d.destination AND m.ordering_key = d.ordering_key
          AND m.seq > d.seq AND (m.due_at >= d.due_at) IS TRUE
        WHERE d.status = 'DEAD' AND d.partition_no = ? AND %3$s
        ORDER BY m.seq
        """
            .formatted(
                tables.qualified("outbox_message"),
                tables.qualified("outbox_held_key"),
                Seqs.CONDITION.replace("seq ", "d.seq "));
  }

  /**
   * Letters that died with others and are not among them, each in order.
   *
   * @param wanted those that an operator has decided about, too
   * @param left those that nobody has decided about
   */
  record Found(List<DeadLetterRow> wanted, List<DeadLetterRow> left) {}

  /**
   * Finds those that died with letters of the list and are not in it.
   *
   * @param those selects what an operator has decided about
   */
  Found with(
      Connection connection,
      int partition,
      Collection<DeadLetterRow> letters,
      DeadLetterConditions those)
      throws SQLException {
    Found found = new Found(new ArrayList<>(), new ArrayList<>());
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
      int next = those.bind(statement, 1);
      statement.setInt(next, partition);
      Seqs.bind(statement, next + 1, heads);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          if (!known.contains(row.getLong("seq"))) {
            List<DeadLetterRow> some =
                row.getBoolean("is_one_of_those") ? found.wanted() : found.left();
            some.add(DeadLetterStore.heldLetter(row));
          }
        }
      }
    }
    return found;
  }
}
