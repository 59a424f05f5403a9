package io.postbox.common.store;

import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** The condition that a column has one of some numbers. */
public final class Numbers {
  private Numbers() {}

  /** Its text: H2 finds a range in a primary key, but not the elements of an array. */
  public static String in(String column) {
    return "%1$s BETWEEN ? AND ? AND %1$s = ANY (?)".formatted(column);
  }

  /**
   * Its parameters.
   *
   * @param numbers not empty
   */
  public static Sql.Values of(Collection<Long> numbers) {
    return new Sql.Values(
        List.of(Collections.min(numbers), Collections.max(numbers), Sql.numbers(numbers)));
  }
}
