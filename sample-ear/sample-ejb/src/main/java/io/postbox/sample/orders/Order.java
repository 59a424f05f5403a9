package io.postbox.sample.orders;

import io.postbox.sample.events.OrderPlaced;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.util.UUID;

/** An order. Named {@code PurchaseOrder} in queries, because {@code ORDER} is a word of theirs. */
@Entity(name = "PurchaseOrder")
@Table(name = "orders")
class Order {
  // Not IDENTITY, which EclipseLink cannot read back on H2 2.x. The allocation size must be the
  // INCREMENT of the sequence in sample.sql.
  @Id
  @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "orders")
  @SequenceGenerator(name = "orders", sequenceName = "orders_seq", allocationSize = 50)
  private long id;

  private String sku = "";
  private int quantity;

  @Enumerated(EnumType.STRING)
  private OrderStatus status = OrderStatus.PLACED;

  @Column(name = "message_id")
  private String messageId = "";

  /** Two that change an order at once: the second is rolled back and tries again. */
  @Version private int version;

  protected Order() {}

  Order(String sku, int quantity) {
    this.sku = sku;
    this.quantity = quantity;
  }

  long id() {
    return id;
  }

  /** The id of the message to shipping. */
  UUID messageId() {
    return UUID.fromString(messageId);
  }

  /** Remembers that id, so that the same message can be sent again. */
  void announcedAs(UUID message) {
    messageId = message.toString();
  }

  /** Records shipping's answer. */
  void becomes(OrderStatus outcome) {
    status = outcome;
  }

  /** The message to shipping; the same at every call. */
  OrderPlaced placed() {
    return new OrderPlaced(id, sku, quantity);
  }

  OrderDetails details() {
    return new OrderDetails(id, sku, quantity, status);
  }
}
