package io.postbox.sample.orders;

/**
 * An order as others see it.
 *
 * @param orderId its number
 * @param sku the article
 * @param quantity how many
 * @param status its state
 */
public record OrderDetails(long orderId, String sku, int quantity, OrderStatus status) {}
