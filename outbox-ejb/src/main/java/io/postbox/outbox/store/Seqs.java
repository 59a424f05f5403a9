package io.postbox.outbox.store;

import io.postbox.common.store.Sql;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** A condition that selects messages of one partition by their sequence numbers. */
final class Seqs {
  /** H2 finds a range in the primary key, but not the elements of an array. */
  static final String CONDITION = "seq BETWEEN ? AND ? AND seq = ANY (?)";

  private Seqs() {}

  /**
   * The parameters of the condition.
   *
   * @param seqs not empty
   */
  static Sql.Values of(Collection<Long> seqs) {
    return new Sql.Values(List.of(Collections.min(seqs), Collections.max(seqs), Sql.numbers(seqs)));
  }
}
