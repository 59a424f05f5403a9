package io.postbox.outbox;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A message that used up its attempts, without its payload.
 *
 * @param seq its place in the order in which messages were enqueued
 * @param id the message's id
 * @param destination the logical name
 * @param orderingKey shared with the messages that must not overtake it
 * @param aggregateType the type of the aggregate that it concerns
 * @param aggregateId that aggregate's id
 * @param eventType the type of the event
 * @param schemaVersion the version of its payload's schema
 * @param contentType the media type of its payload
 * @param traceParent the trace of the transaction that enqueued it
 * @param attempts how often the relay tried to send it
 * @param enqueuedAt when it was enqueued, by the database's clock
 * @param diedAt when it became a dead letter, by the database's clock
 * @param lastError the error of the last attempt
 * @param signature the same for all errors of one cause, for {@link DeadLetterFilter#signature};
 *     empty if the row has none
 */
public record DeadLetter(
    long seq,
    UUID id,
    String destination,
    Optional<String> orderingKey,
    Optional<String> aggregateType,
    Optional<String> aggregateId,
    Optional<String> eventType,
    Optional<String> schemaVersion,
    String contentType,
    Optional<String> traceParent,
    int attempts,
    Instant enqueuedAt,
    Instant diedAt,
    String lastError,
    String signature) {}
