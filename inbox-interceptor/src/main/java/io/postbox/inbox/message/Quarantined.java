package io.postbox.inbox.message;

import org.jspecify.annotations.Nullable;

/**
 * A delivery to quarantine.
 *
 * @param delivery the delivery
 * @param messageId its id, if it has a usable one
 * @param reason why it is quarantined
 * @param stored the fingerprint of the body that was handled under this id
 */
public record Quarantined(
    Delivery delivery,
    @Nullable String messageId,
    QuarantineReason reason,
    @Nullable Fingerprint stored) {}
