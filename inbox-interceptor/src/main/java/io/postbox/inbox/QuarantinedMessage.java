package io.postbox.inbox;

import java.time.Instant;
import java.util.Optional;

/**
 * A quarantined delivery, without its payload.
 *
 * @param id the id of its row in {@code inbox_stored}
 * @param consumer the name of its consumer
 * @param messageId its id, if it has a usable one
 * @param reason why, for instance {@code MISSING_ID} or {@code OTHER_CONTENT}
 * @param source the service that says it sent it, if that is stored in clear, up to 200 characters
 * @param eventType the same of the type of its event
 * @param aggregateType the type of the aggregate that it concerns
 * @param aggregateId that aggregate's id
 * @param fingerprint SHA-256 of its body, in hexadecimal digits
 * @param storedFingerprint the fingerprint of the body that was handled under its id
 * @param destination the destination it was received from, as in {@link ParkedMessage}
 * @param replyTo the {@code JMSReplyTo} of its sender, {@code queue:NAME} or {@code topic:NAME}; a
 *     redrive keeps or drops it
 * @param bodyType {@code TEXT}, {@code TEXT_UTF16}, {@code BYTES}, {@code MAP}, {@code STREAM} or
 *     {@code NONE}
 * @param encrypted whether its body is stored encrypted
 * @param releasedAs the new id that a redrive has assigned which could not send it; the next
 *     redrive sends the message under the same id
 * @param receivedAt when it was quarantined, by the database's clock
 */
public record QuarantinedMessage(
    long id,
    String consumer,
    Optional<String> messageId,
    String reason,
    Optional<String> source,
    Optional<String> eventType,
    Optional<String> aggregateType,
    Optional<String> aggregateId,
    String fingerprint,
    Optional<String> storedFingerprint,
    Optional<String> destination,
    Optional<String> replyTo,
    String bodyType,
    boolean encrypted,
    Optional<String> releasedAs,
    Instant receivedAt) {}
