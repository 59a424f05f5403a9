package io.postbox.sample.billing;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;

/**
 * A customer's invoice for an order.
 *
 * <p>Nothing in the table forbids two invoices for one order. Only the inbox prevents a second one,
 * and if it failed, this sample would show it.
 */
@Entity
@Table(name = "invoice")
class Invoice {
  @Id
  @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "invoice")
  @SequenceGenerator(name = "invoice", sequenceName = "invoice_seq", allocationSize = 50)
  private long id;

  @Column(name = "order_id")
  private long orderId;

  @Column(name = "shipment_id")
  private long shipmentId;

  protected Invoice() {}

  Invoice(long orderId, long shipmentId) {
    this.orderId = orderId;
    this.shipmentId = shipmentId;
  }

  InvoiceDetails details() {
    return new InvoiceDetails(id, orderId, shipmentId);
  }
}
