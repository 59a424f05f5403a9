package io.postbox.inbox;

import java.time.Instant;
import java.util.Optional;

/**
 * A delivery that was kept aside, without its payload.
 *
 * @param id of its row in {@code inbox_quarantine}
 * @param consumer the name of its consumer
 * @param messageId its id, if it has a usable one
 * @param reason why, for instance {@code MISSING_ID} or {@code OTHER_CONTENT}
 * @param fingerprint SHA-256 of its body, in hexadecimal digits
 * @param storedFingerprint that of the body that was handled under its id
 * @param destination where it came from, {@code queue:NAME} or {@code topic:NAME}; empty if it came
 *     without JMS, another consumer's handler handed it on, or it is not known
 * @param replyTo where its sender wants the answer, {@code queue:NAME} or {@code topic:NAME}, by
 *     {@code JMSReplyTo}: a redrive keeps that or drops it
 * @param bodyType {@code TEXT}, {@code TEXT_UTF16}, {@code BYTES}, {@code MAP}, {@code STREAM} or
 *     {@code NONE}
 * @param encrypted whether its body is stored encrypted
 * @param releasedAs the id under which it was to be sent by a release that broke off; the next one
 *     sends it under the same
 * @param receivedAt when it was kept aside, by the database's clock
 */
public record QuarantinedMessage(
    long id,
    String consumer,
    Optional<String> messageId,
    String reason,
    String fingerprint,
    Optional<String> storedFingerprint,
    Optional<String> destination,
    Optional<String> replyTo,
    String bodyType,
    boolean encrypted,
    Optional<String> releasedAs,
    Instant receivedAt) {}
