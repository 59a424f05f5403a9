package io.postbox.inbox.store;

import io.postbox.common.store.Sql;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** A condition that selects rows by their ids. */
final class KeptIds {
  /** H2 finds a range in the primary key, but not the elements of an array. */
  static final String CONDITION = "m.id BETWEEN ? AND ? AND m.id = ANY (?)";

  private KeptIds() {}

  /**
   * The parameters of the condition.
   *
   * @param ids not empty
   */
  static Sql.Values values(Collection<Long> ids) {
    return new Sql.Values(List.of(Collections.min(ids), Collections.max(ids), Sql.numbers(ids)));
  }
}
