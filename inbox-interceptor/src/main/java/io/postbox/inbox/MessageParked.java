package io.postbox.inbox;

import java.util.Optional;

/**
 * A message was parked, because its handler could not handle it, and acknowledged.
 *
 * @param consumer the consumer's name
 * @param messageId the message's id
 * @param eventType the type of the event
 * @param attempts how often its handler failed
 * @param reason why, as stored, for instance {@code TOO_MANY_FAILURES}
 * @param error the error of the last attempt
 */
public record MessageParked(
    String consumer,
    String messageId,
    Optional<String> eventType,
    int attempts,
    String reason,
    String error)
    implements MessageEvent {}
