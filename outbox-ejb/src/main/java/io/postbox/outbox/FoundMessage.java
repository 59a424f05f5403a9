package io.postbox.outbox;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A message of which a row is kept, without its payload.
 *
 * @param seq its place in the order in which messages were enqueued
 * @param id the message's id
 * @param archived whether its row is in {@code outbox_archive}, and not in {@code outbox_message}
 * @param status where it is on its way
 * @param destination the logical name
 * @param orderingKey shared with the messages that must not overtake it
 * @param aggregateType the type of the aggregate that it concerns
 * @param aggregateId that aggregate's id
 * @param eventType the type of the event
 * @param schemaVersion the version of its payload's schema
 * @param contentType the media type of its payload
 * @param traceParent the trace of the transaction that enqueued it
 * @param attempts how many failed attempts are charged to it; a redrive begins anew
 * @param enqueuedAt when it was enqueued, by the database's clock
 * @param dueAt when it may be sent: in the future for {@link Status#DELAYED}; empty if it is over
 * @param expiresAt when it would become a dead letter for its age; empty without a time limit, and
 *     in the archive
 * @param endedAt when it was sent or discarded, or became a dead letter; empty before that
 * @param lastError the error of its last failed attempt; with a {@code PayloadCipher} it is stored
 *     encrypted; empty if it never failed
 * @param signature the same for all errors of one cause; empty if it never failed
 * @param erasedAt when its content was erased ({@link OutboxErasure}): ordering key, aggregate,
 *     trace and errors are then empty, too
 */
public record FoundMessage(
    long seq,
    UUID id,
    boolean archived,
    Status status,
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
    Optional<Instant> dueAt,
    Optional<Instant> expiresAt,
    Optional<Instant> endedAt,
    Optional<String> lastError,
    Optional<String> signature,
    Optional<Instant> erasedAt) {

  /** Where a message is on its way. */
  public enum Status {
    /** To be sent as soon as it is its turn. */
    PENDING,
    /** Not to be sent before its time: a {@code notBefore}, a retry, or a redrive's rate. */
    DELAYED,
    /** Behind a failed message of its ordering key. */
    HELD,
    /** A dead letter: a person has to decide. */
    DEAD,
    /** Sent; with {@code postbox.outbox.after-sending=keep} or {@code archive} only. */
    SENT,
    /** Discarded by a person; in the archive. */
    DISCARDED
  }
}
