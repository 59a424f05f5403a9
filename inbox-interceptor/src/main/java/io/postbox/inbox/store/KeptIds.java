package io.postbox.inbox.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;

/** A condition that selects rows by their ids. */
final class KeptIds {
  /** H2 finds a range in the primary key, but not the elements of an array. */
  static final String CONDITION = "m.id BETWEEN ? AND ? AND m.id = ANY (?)";

  private KeptIds() {}

  /**
   * Sets the parameters of the condition, and returns the index of the next one.
   *
   * @param ids not empty
   */
  static int bind(PreparedStatement statement, int first, Collection<Long> ids)
      throws SQLException {
    statement.setLong(first, Collections.min(ids));
    statement.setLong(first + 1, Collections.max(ids));
    statement.setArray(first + 2, statement.getConnection().createArrayOf("BIGINT", ids.toArray()));
    return first + 3;
  }
}
