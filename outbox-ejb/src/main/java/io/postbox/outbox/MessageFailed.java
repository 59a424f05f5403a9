package io.postbox.outbox;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * An attempt was charged to a message. If it was the last one, {@link MessageDied} follows. An
 * unavailable destination is not the message's fault and fires no such event.
 *
 * @param id the message id
 * @param destination the logical name
 * @param eventType the type of the event
 * @param orderingKey its ordering key
 * @param attempts how many attempts were charged, this one included
 * @param createdAt when it was enqueued, by the database's clock
 * @param reason class of failure, exception and its message; never the payload
 */
public record MessageFailed(
    UUID id,
    String destination,
    Optional<String> eventType,
    Optional<String> orderingKey,
    int attempts,
    Instant createdAt,
    String reason)
    implements MessageEvent {}
