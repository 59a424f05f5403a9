package io.postbox.inbox;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A message of which the inbox keeps a row, without its payload. A handled message has little more
 * than its id and the times; a quarantined one may have no id.
 *
 * @param place where it is
 * @param row the row's id, for {@link ParkedMessages#get} or {@link QuarantinedMessages#get}; empty
 *     for a handled, captured or retried message
 * @param consumer the consumer's name
 * @param messageId the message's id, if it has a usable one
 * @param at when it was handled, kept aside or stored, by the database's clock
 * @param outcome how it was handled; only handled messages
 * @param status its state; only captured and retried messages
 * @param dueAt when it may be handled at the earliest; only captured and retried messages that are
 *     delayed
 * @param reason why it was kept aside; only parked, buffered and quarantined messages
 * @param attempts how often its handler failed; not of quarantined and handled messages
 * @param source the service that sent it; not of quarantined messages
 * @param eventType the type of the event; not of quarantined and handled messages
 * @param aggregateType the type of the aggregate that it concerns; not of handled messages
 * @param aggregateId that aggregate's id; not of handled messages
 * @param aggregateVersion that aggregate's version; not of quarantined and handled messages
 * @param destination the destination it was received from, as in {@link KeptMessage}; not of
 *     handled messages
 * @param error the error of the last attempt, up to 2,000 characters; a note if it is encrypted and
 *     cannot be decrypted; only parked messages, and captured and retried ones that have failed
 * @param signature the same for all errors of one cause; only of the same messages
 * @param headers a few of its headers and properties as a JSON object with texts, up to 10,000
 *     characters; only handled messages whose content was not erased
 * @param erasedAt when its content was erased ({@link InboxErasure}); only handled messages, which
 *     a discarded one is too
 */
public record FoundMessage(
    Place place,
    OptionalLong row,
    String consumer,
    Optional<String> messageId,
    Instant at,
    Optional<Outcome> outcome,
    Optional<Status> status,
    Optional<Instant> dueAt,
    Optional<String> reason,
    OptionalInt attempts,
    Optional<String> source,
    Optional<String> eventType,
    Optional<String> aggregateType,
    Optional<String> aggregateId,
    OptionalLong aggregateVersion,
    Optional<String> destination,
    Optional<String> error,
    Optional<String> signature,
    Optional<String> headers,
    Optional<Instant> erasedAt) {

  /** Where a message is. All but handled ones are in {@code inbox_stored}. */
  public enum Place {
    /** Its handler could not handle it, and a person has to decide. */
    PARKED,
    /** It waits for its turn in the order of versions, and not for a person. */
    BUFFERED,
    /** It has no usable id, or a known id and other content. */
    QUARANTINED,
    /** It is stored, and handled later ({@link InboxMode#CAPTURE}). */
    CAPTURED,
    /** It is handed back to its queue, or waits for that: its copy is handled. */
    RETRIED,
    /** {@code inbox_message}: the consumer is done with it. */
    HANDLED
  }

  /** The state of a captured or retried message. */
  public enum Status {
    /** It may be handled now, or is being handled. */
    PENDING,
    /** It may be handled from {@link FoundMessage#dueAt} on. */
    DELAYED,
    /** It is behind another message with its ordering key. */
    HELD,
    /** It has its turn: its copy is in its queue, or is sent. */
    HANDED_BACK,
    /** It is handled, and its row is kept. */
    PROCESSED
  }

  /** How a message was handled. */
  public enum Outcome {
    /** The handler's transaction committed. */
    PROCESSED,
    /** Skipped, because a later version of its aggregate was handled before. */
    STALE,
    /** Discarded by a person. */
    DISCARDED
  }
}
