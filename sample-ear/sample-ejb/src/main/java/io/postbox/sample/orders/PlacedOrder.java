package io.postbox.sample.orders;

import java.util.UUID;

/**
 * An accepted order and its message to shipping.
 *
 * @param orderId the order's number
 * @param messageId the id of its message {@code OrderPlaced}
 */
public record PlacedOrder(long orderId, UUID messageId) {}
