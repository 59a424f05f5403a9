package io.postbox.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A message was sent to its destination.
 *
 * @param id the message id
 * @param destination the logical name
 * @param eventType the type of the event
 * @param orderingKey its ordering key
 * @param attempts how many attempts were charged before
 * @param createdAt when it was enqueued, by the database's clock
 * @param waited from enqueue to when it was read for sending, by the database's clock
 */
public record MessageSent(
    UUID id,
    String destination,
    Optional<String> eventType,
    Optional<String> orderingKey,
    int attempts,
    Instant createdAt,
    Duration waited)
    implements MessageEvent {}
