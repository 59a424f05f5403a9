package io.postbox.inbox.message;

import io.postbox.inbox.MessageParked;
import java.util.Optional;

/**
 * A message to park.
 *
 * @param delivery its last delivery
 * @param messageId its id
 * @param reason why it is parked
 * @param error the error of the last attempt, up to 2,000 characters
 * @param signature the same for all errors of one cause
 * @param attempts how often its handler failed
 */
public record Parked(
    Delivery delivery,
    String messageId,
    ParkReason reason,
    String error,
    String signature,
    int attempts) {
  /** The event for the application. */
  public MessageParked event() {
    return new MessageParked(
        delivery.consumer(),
        messageId,
        Optional.ofNullable(delivery.eventType()),
        attempts,
        reason.name(),
        error);
  }
}
