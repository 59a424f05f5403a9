package io.postbox.inbox;

import java.time.Duration;

/**
 * A handler throws this if it cannot handle a message yet: the transaction rolls back, and the
 * message is redelivered after a delay. The attempt does not count against {@code max-attempts}, so
 * the handler has to decide when to give up. {@link InboxGuard} throws it to callers that have to
 * redeliver a message themselves.
 */
public class RetryLaterException extends RuntimeException {
  private static final Duration LONGEST = Duration.ofDays(365);
  private static final long serialVersionUID = 1L;

  private final Duration delay;

  /**
   * @param delay the shortest wait: 0 to 365 days, in whole milliseconds; limited to the consumer's
   *     {@code retention}, because another copy of the message may be handled meanwhile, and the
   *     inbox has to remember that until this one is redelivered
   * @param message why, for the log; never the message's payload
   * @throws IllegalArgumentException if the delay is out of these bounds
   */
  public RetryLaterException(Duration delay, String message) {
    super(message);
    if (delay.isNegative() || delay.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "A message can stay away for 0 to 365 days, and not for " + delay);
    }
    this.delay = delay;
  }

  /** The shortest wait. */
  public Duration delay() {
    return delay;
  }
}
