package io.postbox.inbox;

import java.util.Optional;

/**
 * A delivery was rolled back; the message is redelivered.
 *
 * @param consumer whose handler it is
 * @param messageId the message; empty if it failed before that was known
 * @param eventType the type of the event
 * @param attempt which try it was, from 1
 * @param counted whether the attempt is charged
 * @param reason as far as it is known
 */
public record MessageFailed(
    String consumer,
    Optional<String> messageId,
    Optional<String> eventType,
    int attempt,
    boolean counted,
    String reason)
    implements MessageEvent {}
