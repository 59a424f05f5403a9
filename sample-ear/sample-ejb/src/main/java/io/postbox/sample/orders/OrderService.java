package io.postbox.sample.orders;

import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import io.postbox.sample.events.OrderPlaced;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Takes orders and finds them. Each method is one transaction, or part of the caller's. */
@Stateless
public class OrderService {
  @PersistenceContext(unitName = "sample")
  EntityManager entities;

  @Inject Outbox outbox;

  /**
   * Takes an order and enqueues a message to shipping, in one transaction: both happen, or neither.
   *
   * @param sku the article; shipping decides whether there is such a thing
   * @param quantity how many, at least one
   */
  public PlacedOrder place(String sku, int quantity) {
    Order order = new Order(sku, quantity);
    entities.persist(order); // gives it its number; nobody else can know the order before commit
    UUID messageId = outbox.enqueue(tellShipping(order));
    order.announcedAs(messageId);
    return new PlacedOrder(order.id(), messageId);
  }

  /**
   * Resends the message to shipping under its first id. The inbox knows that id and skips the
   * message.
   *
   * @return the message's id
   * @throws NoSuchOrderException if there is no such order
   * @throws StillWaitingException if the first message has not left the outbox yet
   */
  public UUID resend(long orderId) {
    // Take the lock first, enqueue after: messages leave in the order in which their transactions
    // held the order, and two resends at once cannot meet in the outbox.
    Order order = entities.find(Order.class, orderId, LockModeType.PESSIMISTIC_WRITE);
    if (order == null) {
      throw new NoSuchOrderException(orderId);
    }
    UUID messageId = order.messageId();
    try {
      return outbox.enqueue(tellShipping(order).id(messageId));
    } catch (MessageRefusedException e) {
      // The content was accepted once, so it can only be the id: it is still in the outbox.
      throw new StillWaitingException(orderId, messageId, e);
    }
  }

  /** Finds an order. */
  public Optional<OrderDetails> find(long orderId) {
    return Optional.ofNullable(entities.find(Order.class, orderId)).map(Order::details);
  }

  /**
   * The latest orders, newest first.
   *
   * @param limit how many at most
   */
  public List<OrderDetails> latest(int limit) {
    return entities
        .createQuery("SELECT o FROM PurchaseOrder o ORDER BY o.id DESC", Order.class)
        .setMaxResults(limit)
        .getResultStream()
        .map(Order::details)
        .toList();
  }

  /** Counts the orders. */
  public OrderCounts count() {
    return new OrderCounts(
        count("SELECT COUNT(o) FROM PurchaseOrder o"),
        count(
            "SELECT COUNT(o) FROM PurchaseOrder o"
                + " WHERE o.status = io.postbox.sample.orders.OrderStatus.SHIPPED"));
  }

  /**
   * Records shipping's answer.
   *
   * @throws NoSuchOrderException if there is no such order: these messages belong to another
   *     database
   */
  public void record(long orderId, OrderStatus outcome) {
    Order order = entities.find(Order.class, orderId);
    if (order == null) {
      throw new NoSuchOrderException(orderId);
    }
    order.becomes(outcome);
  }

  private long count(String query) {
    return entities.createQuery(query, Long.class).getSingleResult();
  }

  /** An order that was answered before another of its article was placed goes to shipping first. */
  private static OutboxMessage tellShipping(Order order) {
    OrderPlaced placed = order.placed();
    return OutboxMessage.to("shipping")
        .event("OrderPlaced")
        .aggregate("Order", order.id())
        .orderedBy(placed.sku())
        .json(placed);
  }
}
