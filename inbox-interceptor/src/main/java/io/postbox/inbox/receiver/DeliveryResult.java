package io.postbox.inbox.receiver;

import io.postbox.inbox.MessageEvent;
import org.jspecify.annotations.Nullable;

/**
 * How a delivery ends if its transaction commits.
 *
 * @param returned what the handler returned, if it ran
 * @param event what becomes of the message; {@code null} if it was sent again
 */
public record DeliveryResult(@Nullable Object returned, @Nullable MessageEvent event) {}
