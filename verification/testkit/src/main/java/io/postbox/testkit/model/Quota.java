package io.postbox.testkit.model;

/**
 * How much the consumer of hostile messages may have kept aside.
 *
 * @param bytes of messages with their bodies
 * @param rows in all
 * @param overshoot how many bytes may come on top, of deliveries that found room at the same time
 */
public record Quota(long bytes, long rows, long overshoot) {
  /** Nobody tries to reach it. */
  public static final Quota NONE = new Quota(Long.MAX_VALUE, Long.MAX_VALUE, 0);

  /** Headers, a few properties. */
  private static final long MOST_WITHOUT_BODY = 2_000;

  /** Whether that is within the bounds. */
  boolean allows(long rows, long rowsWithoutBody, long bytes) {
    return equals(NONE)
        || (rows <= this.rows
            && bytes <= this.bytes + overshoot + rowsWithoutBody * MOST_WITHOUT_BODY);
  }

  /**
   * Whether bodies may have been dropped: the server may count what it has kept lately twice, and
   * no more.
   */
  boolean mayBeReached(long bytes) {
    return bytes >= this.bytes / 2 - overshoot / 2;
  }
}
