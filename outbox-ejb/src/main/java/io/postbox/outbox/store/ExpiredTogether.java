package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Conditions;
import io.postbox.common.store.Numbers;
import io.postbox.common.store.Sql;
import io.postbox.outbox.store.OperatorStore.Decided;
import io.postbox.outbox.store.OperatorStore.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

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
                Numbers.in("d.seq"));
  }

  /**
   * Finds the letters that died with others and are not among those that are known, each in order.
   *
   * @param heads those that hold their keys
   * @param known in the transaction's hands already
   * @param those selects what an operator has decided about
   */
  Decided with(
      Connection connection,
      int partition,
      List<Row> heads,
      Collection<Row> known,
      Conditions those)
      throws SQLException {
    List<Row> wanted = new ArrayList<>();
    List<Row> left = new ArrayList<>();
    if (!heads.isEmpty()) {
      Set<Long> seqs = known.stream().map(Row::seq).collect(Collectors.toSet());
      Sql.list(
          connection,
          select.formatted(those.sql()),
          row ->
              seqs.contains(row.getLong("seq"))
                  || (row.getBoolean("is_one_of_those") ? wanted : left)
                      .add(OperatorStore.row(row)),
          those.values(),
          partition,
          Numbers.of(heads.stream().map(Row::seq).toList()));
    }
    return new Decided(wanted, left);
  }
}
