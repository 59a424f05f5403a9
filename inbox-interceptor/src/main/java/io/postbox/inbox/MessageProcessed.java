package io.postbox.inbox;

import java.util.Optional;

/**
 * A message was handled, and its transaction has committed.
 *
 * @param consumer whose handler it was
 * @param messageId the message
 * @param eventType the type of the event
 * @param attempt which try it was, from 1
 */
public record MessageProcessed(
    String consumer, String messageId, Optional<String> eventType, int attempt)
    implements MessageEvent {}
