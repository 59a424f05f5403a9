package io.postbox.inbox.message;

import java.time.Duration;

/**
 * A retry of a message after a delay.
 *
 * @param messageId the message's id
 * @param delay how long until it is due
 * @param waitedFor how many failures of its handler this and earlier delays are for
 * @param waits how often the message was too early in the order of its aggregate
 */
public record DelayedRetry(String messageId, Duration delay, int waitedFor, int waits) {
  /** The retry of a message that waits where it is, after one more failure. */
  public static DelayedRetry inPlace(Delivery delivery, Duration delay) {
    return new DelayedRetry(
        delivery.knownId().orElse(""),
        delay,
        delivery.history().waitedFor() + 1,
        delivery.history().waits());
  }
}
