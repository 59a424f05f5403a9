package io.postbox.inbox.message;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One delivery of a message to a consumer.
 *
 * @param consumer the name under which it is remembered
 * @param id what was found where the id should be
 * @param fingerprint of the body
 * @param source the service that sent it, where that is known
 * @param headers a few of its headers as JSON, for whoever looks at the row
 * @param content reads everything; asked only for a delivery that is kept aside
 */
public record Delivery(
    String consumer,
    MessageId id,
    Fingerprint fingerprint,
    @Nullable String source,
    String headers,
    Supplier<Content> content) {}
