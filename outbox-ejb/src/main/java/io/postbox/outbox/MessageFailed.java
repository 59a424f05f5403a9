package io.postbox.outbox;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * An attempt was counted against a message. If it was the last, {@link MessageDied} follows. A
 * destination that cannot be reached is not the message's fault and makes no such event.
 *
 * @param id the message id
 * @param destination the logical name of where it goes
 * @param eventType the type of the event
 * @param orderingKey its ordering key
 * @param attempts how many attempts were counted against it, this one included
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
