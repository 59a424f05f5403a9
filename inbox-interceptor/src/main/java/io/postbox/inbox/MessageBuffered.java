package io.postbox.inbox;

import java.util.Optional;

/**
 * A version of an aggregate came before those that it follows, so it was stored until its turn, and
 * the transaction has committed.
 *
 * @param consumer the consumer's name
 * @param messageId the message's id
 * @param eventType the type of the event
 */
public record MessageBuffered(String consumer, String messageId, Optional<String> eventType)
    implements MessageEvent {}
