package io.postbox.crash.topology;

import java.time.Duration;

/** How long to wait for an end: as long as something goes forward, and not for ever. */
final class ProgressTimeout {
  /**
   * Longer than any transaction, of the server's or the broker's, and than the four minutes from
   * the third copy of a message that is handed back to the fourth.
   */
  static final Duration LONGEST_STANDSTILL = Duration.ofSeconds(270);

  /** However much there is to do. */
  static final Duration LONGEST = Duration.ofMinutes(10);

  private final Duration begun;
  private Duration lastStep;
  private long done;

  /**
   * @param now since any moment, as in {@link #isOver}
   */
  ProgressTimeout(Duration now) {
    begun = now;
    lastStep = now;
  }

  /**
   * Whether it is over.
   *
   * @param doneNow a number that only grows while something goes forward; less than before if it is
   *     not known
   */
  boolean isOver(Duration now, long doneNow) {
    if (doneNow > done) {
      done = doneNow;
      lastStep = now;
    }
    return now.minus(lastStep).compareTo(LONGEST_STANDSTILL) > 0
        || now.minus(begun).compareTo(LONGEST) > 0;
  }
}
