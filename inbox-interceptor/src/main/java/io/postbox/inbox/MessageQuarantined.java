package io.postbox.inbox;

import java.util.Optional;

/**
 * A delivery was quarantined and acknowledged.
 *
 * @param consumer the name of its consumer
 * @param messageId its id, if it has a usable one
 * @param eventType the type of the event
 * @param reason why, as stored, for instance {@code OTHER_CONTENT}
 * @param fingerprint SHA-256 of its body, in hexadecimal digits
 * @param storedFingerprint the fingerprint of the body that was handled under its id
 */
public record MessageQuarantined(
    String consumer,
    Optional<String> messageId,
    Optional<String> eventType,
    String reason,
    String fingerprint,
    Optional<String> storedFingerprint)
    implements MessageEvent {}
