package io.postbox.common;

/**
 * A page of a list of messages. Each page is one query, whose cost does not grow with the pages
 * before.
 *
 * @param after the place of the last message on the previous page ({@code DeadLetter.seq()}, {@code
 *     KeptMessage.id()}); 0 for the first page
 * @param size 1 to 1,000
 */
public record Page(long after, int size) {
  private static final int LARGEST = 1_000;

  /** Checks the bounds. */
  public Page {
    if (size < 1 || size > LARGEST) {
      throw new IllegalArgumentException(
          "A page has 1 to %s messages, and not %s".formatted(LARGEST, size));
    }
  }

  /** The first page. */
  public static Page first(int size) {
    return new Page(0, size);
  }

  /** The page after a place, usually that of the last message on the previous page. */
  public static Page after(long place, int size) {
    return new Page(place, size);
  }
}
