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
 *     for a handled message
 * @param consumer the consumer's name
 * @param messageId the message's id, if it has a usable one
 * @param at when it was handled, parked or quarantined, by the database's clock
 * @param outcome how it was handled; only handled messages
 * @param reason why it was kept aside; only parked and quarantined messages
 * @param attempts how often its handler failed; only parked messages
 * @param source the service that sent it; not of quarantined messages
 * @param eventType the type of the event; only parked messages
 * @param aggregateType the type of the aggregate that it concerns; only parked messages
 * @param aggregateId that aggregate's id; only parked messages
 * @param aggregateVersion that aggregate's version; only parked messages
 * @param destination the destination it was received from, as in {@link ParkedMessage}; not of
 *     handled messages
 * @param error the error of the last attempt, up to 2,000 characters; a note if it is encrypted and
 *     cannot be decrypted; only parked messages
 * @param signature the same for all errors of one cause; only parked messages
 * @param headers a few of its headers and properties as a JSON object with texts, up to 10,000
 *     characters; only handled messages
 */
public record FoundMessage(
    Place place,
    OptionalLong row,
    String consumer,
    Optional<String> messageId,
    Instant at,
    Optional<Outcome> outcome,
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
    Optional<String> headers) {

  /** The table of a row. */
  public enum Place {
    /** {@code inbox_parked}: its handler could not handle it, and a person has to decide. */
    PARKED,
    /** {@code inbox_quarantine}: without a usable id, or with a known id and other content. */
    QUARANTINED,
    /** {@code inbox_message}: the consumer is done with it. */
    HANDLED
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
