package io.postbox.outbox;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A message has become a dead letter: it is kept until a person decides.
 *
 * @param id the message id
 * @param destination the logical name of where it goes
 * @param eventType the type of the event
 * @param orderingKey its ordering key
 * @param attempts how many attempts were counted against it; perhaps none, if it expired
 * @param createdAt when it was enqueued, by the database's clock
 * @param reason the last attempt's, or that it expired; never the payload
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
