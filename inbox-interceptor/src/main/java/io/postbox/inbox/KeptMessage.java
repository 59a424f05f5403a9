package io.postbox.inbox;

import io.postbox.common.PayloadCipher;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A message that its handler could not handle, that waits for its turn in the order of versions, or
 * that is quarantined; without its payload.
 *
 * @param id the id of its row in {@code inbox_stored}
 * @param consumer the consumer's name
 * @param messageId the message's id; only a quarantined one may have no usable id
 * @param reason why it is parked: {@code TOO_MANY_FAILURES}, {@code TOO_MANY_TRANSIENT_FAILURES},
 *     {@code TOO_MANY_CRASHES}, {@code REJECTED}, {@code VERSION_MISSING}, {@code NOT_RELEASED},
 *     {@code HANDLER_NOT_REACHED}, {@code REPLY_NOT_SENT}, {@code TOO_MANY_AGGREGATES} or {@code
 *     HELD}; {@code EARLY}, if it is buffered; {@code DELAYED} or {@code HANDED_BACK}, if it goes
 *     back to its queue; or why it is quarantined, for instance {@code MISSING_ID} or {@code
 *     OTHER_CONTENT}
 * @param error the error of the last attempt, up to 2,000 characters; a note if it is encrypted and
 *     cannot be decrypted; empty if it is quarantined
 * @param signature the same for all errors of one cause, for {@link KeptFilter#signature}
 * @param attempts how often its handler failed
 * @param source the service that sent it; if it is quarantined, up to 200 characters, and only if
 *     its properties are stored in clear
 * @param eventType the type of the event, likewise
 * @param aggregateType the type of the aggregate that it concerns
 * @param aggregateId that aggregate's id
 * @param aggregateVersion that aggregate's version
 * @param fingerprint SHA-256 of its body, with a key if there is a {@link PayloadCipher}, in
 *     hexadecimal digits
 * @param storedFingerprint the fingerprint of the body that was handled under its id, if it is
 *     quarantined because of that
 * @param destination the destination it was received from, {@code queue:NAME} or {@code
 *     topic:NAME}; {@code origin:NAME}, with partition and offset as in {@code
 *     origin:payments/3@42}, if it arrived without JMS and its {@link InboxRequest#from request}
 *     said so; empty if that is unknown, or another consumer's handler passed it on
 * @param replyTo the {@code JMSReplyTo} of its sender, {@code queue:NAME} or {@code topic:NAME}; a
 *     redrive keeps or drops it
 * @param bodyType {@code TEXT}, {@code TEXT_UTF16}, {@code BYTES}, {@code MAP}, {@code STREAM} or
 *     {@code NONE}
 * @param encrypted whether its body and properties are stored encrypted
 * @param releasedAs the new id that a redrive of a quarantined one has assigned which could not
 *     send it; the next redrive sends the message under the same id
 * @param keptAt when it was parked or quarantined, or else stored, by the database's clock
 */
public record KeptMessage(
    long id,
    String consumer,
    Optional<String> messageId,
    String reason,
    String error,
    String signature,
    int attempts,
    Optional<String> source,
    Optional<String> eventType,
    Optional<String> aggregateType,
    Optional<String> aggregateId,
    OptionalLong aggregateVersion,
    String fingerprint,
    Optional<String> storedFingerprint,
    Optional<String> destination,
    Optional<String> replyTo,
    String bodyType,
    boolean encrypted,
    Optional<String> releasedAs,
    Instant keptAt) {}
