package io.postbox.inbox;

import io.postbox.common.PayloadCipher;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A message that its handler could not handle, without its payload.
 *
 * @param id of its row in {@code inbox_parked}
 * @param consumer whose handler it was
 * @param messageId the message
 * @param reason why it is parked: {@code TOO_MANY_FAILURES}, {@code TOO_MANY_TRANSIENT_FAILURES},
 *     {@code TOO_MANY_CRASHES}, {@code REJECTED}, {@code VERSION_MISSING} or {@code
 *     TOO_MANY_AGGREGATES}
 * @param error of the last attempt, up to 2,000 characters; where it is encrypted and cannot be
 *     decrypted, that it is so
 * @param signature the same for all errors of one cause, for {@link KeptFilter#signature}
 * @param attempts how often its handler failed
 * @param source the service that sent it
 * @param eventType the type of the event
 * @param aggregateType the type of the aggregate that it concerns
 * @param aggregateId that aggregate's id
 * @param aggregateVersion that aggregate's version
 * @param fingerprint SHA-256 of its body, with a key where there is a {@link PayloadCipher}, in
 *     hexadecimal digits
 * @param destination where it came from, {@code queue:NAME} or {@code topic:NAME}; empty if it came
 *     without JMS, or another consumer's handler handed it on
 * @param replyTo where its sender wants the answer, {@code queue:NAME} or {@code topic:NAME}, by
 *     {@code JMSReplyTo}: a redrive keeps that or drops it
 * @param bodyType {@code TEXT}, {@code TEXT_UTF16}, {@code BYTES}, {@code MAP}, {@code STREAM} or
 *     {@code NONE}
 * @param encrypted whether its body and properties are stored encrypted
 * @param parkedAt when, by the database's clock
 */
public record ParkedMessage(
    long id,
    String consumer,
    String messageId,
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
    Optional<String> destination,
    Optional<String> replyTo,
    String bodyType,
    boolean encrypted,
    Instant parkedAt) {}
