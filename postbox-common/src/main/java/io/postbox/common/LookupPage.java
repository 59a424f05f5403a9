package io.postbox.common;

import java.util.List;
import java.util.Optional;

/**
 * A page of a search that reads a bounded number of rows. It may have fewer items than were asked
 * for, or none, and the search go on nevertheless: only a page without {@code next} is the last.
 *
 * @param items the items found
 * @param next the place to continue, for the same filter; empty if the search is over
 * @param note the part that the search leaves out, why, and how to find it; empty if it leaves out
 *     nothing
 * @param <T> the type of the items
 */
public record LookupPage<T>(List<T> items, Optional<String> next, Optional<String> note) {
  /** The most items of a page. */
  public static final int LARGEST = 100;

  /** Keeps a copy. */
  public LookupPage {
    items = List.copyOf(items);
  }

  /**
   * Checks how many items are asked for.
   *
   * @throws IllegalArgumentException if it is not 1 to 100
   */
  public static void checkSize(int size) {
    if (size < 1 || size > LARGEST) {
      throw new IllegalArgumentException(
          "A page has 1 to %s items, and not %s".formatted(LARGEST, size));
    }
  }

  /** The same page with a note. */
  public LookupPage<T> noting(Optional<String> other) {
    return new LookupPage<>(items, next, other);
  }
}
