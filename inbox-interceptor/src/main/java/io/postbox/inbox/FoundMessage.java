package io.postbox.inbox;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A message of which the inbox keeps a row, without its payload. A handled message has little more
 * than its id and the times; a quarantined one may have no id.
 *
 * @param place which table the row is in
 * @param row the row's id, for {@link ParkedMessages#get} or {@link QuarantinedMessages#get}; empty
 *     for a handled or captured message
 * @param consumer the consumer's name
 * @param messageId the message's id, if it has a usable one
 * @param at when it was handled, parked, quarantined or captured, by the database's clock
 * @param outcome how it was handled; only handled messages
 * @param status its state; only captured messages
 * @param dueAt when it may be handled at the earliest; only captured messages that are delayed
 * @param reason why it was kept aside; only parked, buffered and quarantined messages
 * @param attempts how often its handler failed; only parked, buffered and captured messages
 * @param source the service that sent it; not of quarantined messages
 * @param eventType the type of the event; only parked, buffered and captured messages
 * @param aggregateType the type of the aggregate that it concerns; not of handled messages
 * @param aggregateId that aggregate's id; not of handled messages
 * @param aggregateVersion that aggregate's version; only parked, buffered and captured messages
 * @param destination the destination it was received from, as in {@link ParkedMessage}; not of
 *     handled messages
 * @param error the error of the last attempt, up to 2,000 characters; a note if it is encrypted and
 *     cannot be decrypted; only parked messages, and captured ones that have failed
 * @param signature the same for all errors of one cause; only parked messages, and captured ones
 *     that have failed
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

  /** The table of a row. */
  public enum Place {
    /** {@code inbox_parked}: its handler could not handle it, and a person has to decide. */
    PARKED,
    /**
     * {@code inbox_parked}: it waits for its turn in the order of versions, and not for a person.
     */
    BUFFERED,
    /** {@code inbox_quarantine}: without a usable id, or with a known id and other content. */
    QUARANTINED,
    /** {@code inbox_captured}: stored, and handled later ({@link InboxMode#CAPTURE}). */
    CAPTURED,
    /** {@code inbox_message}: the consumer is done with it. */
    HANDLED
  }

  /** The state of a captured message. */
  public enum Status {
    /** It may be handled now, or is being handled. */
    PENDING,
    /** It may be handled from {@link FoundMessage#dueAt} on. */
    DELAYED,
    /** It is behind another message with its ordering key. */
    HELD,
    /** It is handled, and its row is kept. */
    PROCESSED,
    /** Its content is parked, and a person has to decide. */
    PARKED,
    /** Its content is buffered: it waits for its turn in the order of versions. */
    BUFFERED
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
