package io.postbox.inbox;

import java.util.Optional;

/**
 * A message was stored to be handled later, and the transaction has committed.
 *
 * @param consumer the consumer's name
 * @param messageId the message's id
 * @param eventType the type of the event
 */
public record MessageCaptured(String consumer, String messageId, Optional<String> eventType)
    implements MessageEvent {}
