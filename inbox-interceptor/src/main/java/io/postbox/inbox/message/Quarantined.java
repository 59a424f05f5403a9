package io.postbox.inbox.message;

import org.jspecify.annotations.Nullable;

/**
 * A delivery that is kept aside.
 *
 * @param consumer for whom it was
 * @param messageId its id, if it has a usable one
 * @param reason why it is kept aside
 * @param fingerprint of its body
 * @param stored the fingerprint of the body that was handled under this id
 * @param content everything that is needed to make the message again
 */
public record Quarantined(
    String consumer,
    @Nullable String messageId,
    QuarantineReason reason,
    Fingerprint fingerprint,
    @Nullable Fingerprint stored,
    Content content) {}
