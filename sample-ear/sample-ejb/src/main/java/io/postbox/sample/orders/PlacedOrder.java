package io.postbox.sample.orders;

import java.util.UUID;

/**
 * An order that was taken, and the message that tells shipping.
 *
 * @param orderId the order's number
 * @param messageId the id of its message {@code OrderPlaced}
 */
public record PlacedOrder(long orderId, UUID messageId) {}
