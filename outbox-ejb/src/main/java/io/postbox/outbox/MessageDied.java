package io.postbox.outbox;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A message has become a dead letter: it is kept until an operator redrives or discards it.
 *
 * @param id the message id
 * @param destination the logical name
 * @param eventType the type of the event
 * @param orderingKey its ordering key
 * @param attempts how many attempts were charged; perhaps none, if it expired
 * @param createdAt when it was enqueued, by the database's clock
 * @param reason the error of the last attempt, or that it expired; never the payload
 */
public record MessageDied(
    UUID id,
    String destination,
    Optional<String> eventType,
    Optional<String> orderingKey,
    int attempts,
    Instant createdAt,
    String reason)
    implements MessageEvent {}
