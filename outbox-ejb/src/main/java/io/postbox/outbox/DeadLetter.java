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
 * @param orderingKey what it shares with the messages that must not overtake it
 * @param aggregateType what it is about
 * @param aggregateId which one of these
 * @param eventType what happened
 * @param schemaVersion of its payload
 * @param contentType of its payload
 * @param traceParent of the transaction that enqueued it
 * @param attempts how often it was tried
 * @param enqueuedAt when it was enqueued, by the database's clock
 * @param diedAt when it became a dead letter, by the database's clock
 * @param lastError why
 * @param signature what errors of one cause have in common, for {@link DeadLetterFilter#signature};
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
