package io.postbox.sample.shipping;

/**
 * A shipment as others see it.
 *
 * @param shipmentId its number
 * @param orderId the order it is for
 * @param sku the article
 * @param quantity how many pieces
 */
public record ShipmentDetails(long shipmentId, long orderId, String sku, int quantity) {}
