package io.postbox.inbox.message;

import org.jspecify.annotations.Nullable;

/**
 * A delivery that is kept aside.
 *
 * @param delivery it
 * @param messageId its id, if it has a usable one
 * @param reason why it is kept aside
 * @param stored the fingerprint of the body that was handled under this id
 */
public record Quarantined(
    Delivery delivery,
    @Nullable String messageId,
    QuarantineReason reason,
    @Nullable Fingerprint stored) {}
