package io.postbox.sample.shipping;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import io.postbox.sample.events.OrderPlaced;
import io.postbox.sample.events.OrderRejected;
import io.postbox.sample.events.OrderShipped;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Ships what was ordered. Each method is one transaction, or part of the caller's. */
@Stateless
public class ShippingService {
  /** A statement has so many parameters at most. */
  private static final int IN_ONE_QUERY = 500;

  @PersistenceContext(unitName = "sample")
  EntityManager entities;

  @Inject Outbox outbox;

  /**
   * Takes the goods from stock, books the shipment, replies to orders and tells billing; or, if the
   * goods are not there, replies that. An empty shelf is an answer and not an error, so this throws
   * nothing: an exception would cause a redelivery, to the same empty shelf.
   */
  public void ship(OrderPlaced order) {
    // Take the lock first, enqueue after: the UPDATE holds the stock row until commit.
    if (take(order.sku(), order.quantity())) {
      Shipment shipment = new Shipment(order.orderId(), order.sku(), order.quantity());
      entities.persist(shipment);
      OrderShipped shipped = new OrderShipped(order.orderId(), shipment.id());
      outbox.enqueueAll(
          Stream.of("orders", "billing")
              .map(service -> message(service, order.orderId(), "OrderShipped", shipped))
              .toList());
    } else {
      String reason = "Fewer than " + order.quantity() + " of " + order.sku() + " in stock";
      outbox.enqueue(
          message(
              "orders",
              order.orderId(),
              "OrderRejected",
              new OrderRejected(order.orderId(), reason)));
    }
  }

  /** The shipments for an order, oldest first: one, once it is shipped. */
  public List<ShipmentDetails> shipmentsFor(long orderId) {
    return entities
        .createQuery(
            "SELECT s FROM Shipment s WHERE s.orderId = :orderId ORDER BY s.id", Shipment.class)
        .setParameter("orderId", orderId)
        .getResultStream()
        .map(Shipment::details)
        .toList();
  }

  /** Counts the shipments for these orders. */
  public long countShipmentsFor(List<Long> orderIds) {
    long shipments = 0;
    for (int from = 0; from < orderIds.size(); from += IN_ONE_QUERY) {
      shipments +=
          entities
              .createQuery(
                  "SELECT COUNT(s) FROM Shipment s WHERE s.orderId IN :orderIds", Long.class)
              .setParameter(
                  "orderIds",
                  orderIds.subList(from, Math.min(from + IN_ONE_QUERY, orderIds.size())))
              .getSingleResult();
    }
    return shipments;
  }

  /** The stock of an article, if the warehouse knows it. */
  public Optional<StockLevel> stockOf(String sku) {
    return Optional.ofNullable(entities.find(Stock.class, sku)).map(Stock::level);
  }

  /** Counts all shipments. */
  public long count() {
    return entities.createQuery("SELECT COUNT(s) FROM Shipment s", Long.class).getSingleResult();
  }

  private boolean take(String sku, int quantity) {
    return entities
            .createNamedQuery(Stock.TAKE)
            .setParameter("sku", sku)
            .setParameter("quantity", (long) quantity)
            .executeUpdate()
        == 1;
  }

  private static OutboxMessage message(String service, long orderId, String event, Object payload) {
    return OutboxMessage.to(service).event(event).aggregate("Order", orderId).json(payload);
  }
}
