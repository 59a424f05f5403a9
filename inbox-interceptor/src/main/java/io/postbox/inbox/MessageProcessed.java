package io.postbox.inbox;

import java.util.Optional;

/**
 * A message was handled, and its transaction has committed.
 *
 * @param consumer the consumer's name
 * @param messageId the message's id
 * @param eventType the type of the event
 * @param attempt the number of the attempt, from 1
 */
public record MessageProcessed(
    String consumer, String messageId, Optional<String> eventType, int attempt)
    implements MessageEvent {}
