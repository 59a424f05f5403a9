package io.postbox.inbox;

import java.time.Duration;

/**
 * Thrown by a handler that cannot handle a message yet: the transaction rolls back, and the message
 * is redelivered after a delay. It does not count against {@code max-attempts}, so the handler
 * itself has to know when to give up. Also thrown to callers that have to bring a message again
 * themselves.
 */
public class RetryLaterException extends RuntimeException {
  private static final Duration LONGEST = Duration.ofDays(365);
  private static final long serialVersionUID = 1L;

  private final Duration delay;

  /**
   * @param delay how long to wait at least: 0 to 365 days, counted in whole milliseconds; cut to
   *     the consumer's {@code retention}, because another copy of the message may be handled
   *     meanwhile, and that must not be forgotten before this one comes
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

  /** How long to wait at least. */
  public Duration delay() {
    return delay;
  }
}
