package io.postbox.sample.billing;

/**
 * An invoice as others see it.
 *
 * @param invoiceId its number
 * @param orderId the order it is for
 * @param shipmentId the shipment that it bills
 */
public record InvoiceDetails(long invoiceId, long orderId, long shipmentId) {}
