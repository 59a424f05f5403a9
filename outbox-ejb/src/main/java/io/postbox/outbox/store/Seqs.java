package io.postbox.outbox.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;

/** A condition that selects messages of one partition by their sequence numbers. */
final class Seqs {
  /** H2 finds a range in the primary key, but not the elements of an array. */
  static final String CONDITION = "seq BETWEEN ? AND ? AND seq = ANY (?)";

  private Seqs() {}

  /**
   * Sets the parameters of the condition, and returns the index of the next one.
   *
   * @param seqs not empty
   */
  static int bind(PreparedStatement statement, int first, Collection<Long> seqs)
      throws SQLException {
    statement.setLong(first, Collections.min(seqs));
    statement.setLong(first + 1, Collections.max(seqs));
    statement.setArray(
        first + 2, statement.getConnection().createArrayOf("BIGINT", seqs.toArray()));
    return first + 3;
  }
}
