package io.postbox.inbox.receiver;

import io.postbox.inbox.MessageEvent;
import org.jspecify.annotations.Nullable;

/**
 * How a delivery ends if its transaction commits.
 *
 * @param returned the handler's result, if it ran
 * @param event the message's outcome; {@code null} if it is retried later
 */
public record DeliveryResult(@Nullable Object returned, @Nullable MessageEvent event) {}
