package io.postbox.inbox;

import java.util.Optional;

/**
 * A delivery was rolled back; the message is redelivered.
 *
 * @param consumer the consumer's name
 * @param messageId the message's id; empty if the delivery failed before the id was read
 * @param eventType the type of the event
 * @param attempt the number of the attempt, from 1
 * @param counted whether the attempt is charged
 * @param reason the reason, as far as it is known
 */
public record MessageFailed(
    String consumer,
    Optional<String> messageId,
    Optional<String> eventType,
    int attempt,
    boolean counted,
    String reason)
    implements MessageEvent {}
