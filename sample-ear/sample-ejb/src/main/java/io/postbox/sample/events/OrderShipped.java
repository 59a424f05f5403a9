package io.postbox.sample.events;

import jakarta.json.bind.annotation.JsonbCreator;
import jakarta.json.bind.annotation.JsonbProperty;

/**
 * The goods of an order left the warehouse; goes to {@code orders} and {@code billing}.
 *
 * @param orderId the order
 * @param shipmentId the shipment that carries it
 */
public record OrderShipped(long orderId, long shipmentId) {
  /** Reads it from JSON. */
  @JsonbCreator
  public OrderShipped(
      @JsonbProperty("orderId") long orderId, @JsonbProperty("shipmentId") long shipmentId) {
    this.orderId = orderId;
    this.shipmentId = shipmentId;
  }
}
