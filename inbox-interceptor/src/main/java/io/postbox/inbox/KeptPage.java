package io.postbox.inbox;

/**
 * Where a list of messages that are kept aside goes on, and how many it has.
 *
 * @param after the id of the row behind which it begins; 0 for the first page
 * @param size 1 to 1,000
 */
public record KeptPage(long after, int size) {
  private static final int LARGEST = 1_000;

  /** Checks the bounds. */
  public KeptPage {
    if (size < 1 || size > LARGEST) {
      throw new IllegalArgumentException(
          "A page has 1 to %d messages, and not %d".formatted(LARGEST, size));
    }
  }

  /** The first page. */
  public static KeptPage first(int size) {
    return new KeptPage(0, size);
  }

  /** The page behind a message, usually the last one of a page. */
  public static KeptPage after(ParkedMessage message, int size) {
    return new KeptPage(message.id(), size);
  }

  /** The page behind a message, usually the last one of a page. */
  public static KeptPage after(QuarantinedMessage message, int size) {
    return new KeptPage(message.id(), size);
  }
}
