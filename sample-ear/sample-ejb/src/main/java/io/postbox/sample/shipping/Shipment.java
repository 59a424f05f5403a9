package io.postbox.sample.shipping;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;

/**
 * Goods on their way to a customer.
 *
 * <p>Nothing in the table forbids two shipments for one order. Only the inbox prevents a second
 * one, and if it failed, this sample would show it.
 */
@Entity
@Table(name = "shipment")
class Shipment {
  @Id
  @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "shipment")
  @SequenceGenerator(name = "shipment", sequenceName = "shipment_seq", allocationSize = 50)
  private long id;

  @Column(name = "order_id")
  private long orderId;

  private String sku = "";
  private int quantity;

  protected Shipment() {}

  Shipment(long orderId, String sku, int quantity) {
    this.orderId = orderId;
    this.sku = sku;
    this.quantity = quantity;
  }

  long id() {
    return id;
  }

  ShipmentDetails details() {
    return new ShipmentDetails(id, orderId, sku, quantity);
  }
}
