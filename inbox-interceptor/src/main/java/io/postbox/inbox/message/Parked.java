package io.postbox.inbox.message;

/**
 * A message that is parked.
 *
 * @param delivery the last one of it
 * @param messageId its id
 * @param reason why it is parked
 * @param error of the last attempt, up to 2,000 characters
 * @param signature the same for all errors of one cause
 * @param attempts how often its handler failed
 */
public record Parked(
    Delivery delivery,
    String messageId,
    ParkReason reason,
    String error,
    String signature,
    int attempts) {}
