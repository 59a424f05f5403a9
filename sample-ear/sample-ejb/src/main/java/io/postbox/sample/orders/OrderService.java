package io.postbox.sample.orders;

import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import io.postbox.sample.events.OrderPlaced;
import io.postbox.sample.events.Trouble;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Takes orders and finds them. Each method is one transaction, or part of the caller's. */
@Stateless
public class OrderService {
  /** Where orders go. */
  public static final String SHIPPING = "shipping";

  /** A destination that the server does not have. */
  public static final String NOWHERE = "depot";

  /** A statement has so many parameters at most. */
  private static final int IN_ONE_QUERY = 500;

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
    return place(sku, quantity, order -> message(SHIPPING, order.placed()));
  }

  /** Takes an order that meets with a trouble on its way; otherwise like {@link #place}. */
  public PlacedOrder place(String sku, int quantity, Trouble trouble) {
    return place(
        sku,
        quantity,
        order ->
            trouble == Trouble.NO_DESTINATION
                ? message(NOWHERE, order.placed())
                : message(SHIPPING, order.placed()).property(Trouble.PROPERTY, trouble.name()));
  }

  private PlacedOrder place(String sku, int quantity, Function<Order, OutboxMessage> tell) {
    Order order = new Order(sku, quantity);
    entities.persist(order); // gives it its number; nobody else can know the order before commit
    UUID messageId = outbox.enqueue(tell.apply(order));
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
    Order order = locked(orderId);
    return enqueueAgain(order, order.placed());
  }

  /**
   * Sends a message with the id of the first one and one piece more, as an error or a forgery might
   * do. The inbox quarantines it.
   *
   * @return the message's id
   * @throws NoSuchOrderException if there is no such order
   * @throws StillWaitingException if shipping has not answered yet: of two messages with one id the
   *     inbox handles the one that comes first
   */
  public UUID resendAltered(long orderId) {
    Order order = locked(orderId);
    OrderPlaced first = order.placed();
    if (order.details().status() == OrderStatus.PLACED) {
      throw new StillWaitingException(orderId, order.messageId());
    }
    return enqueueAgain(order, new OrderPlaced(first.orderId(), first.sku(), first.quantity() + 1));
  }

  /**
   * Take the lock first, enqueue after: messages leave in the order in which their transactions
   * held the order, and two resends at once cannot meet in the outbox.
   */
  private Order locked(long orderId) {
    Order order = entities.find(Order.class, orderId, LockModeType.PESSIMISTIC_WRITE);
    if (order == null) {
      throw new NoSuchOrderException(orderId);
    }
    return order;
  }

  private UUID enqueueAgain(Order order, OrderPlaced payload) {
    UUID messageId = order.messageId();
    try {
      return outbox.enqueue(message(SHIPPING, payload).id(messageId));
    } catch (MessageRefusedException e) {
      // The content was accepted once, so it can only be the id: it is still in the outbox.
      throw new StillWaitingException(order.id(), messageId, e);
    }
  }

  /** Finds an order. */
  public Optional<OrderDetails> find(long orderId) {
    return Optional.ofNullable(entities.find(Order.class, orderId)).map(Order::details);
  }

  /** The id of an order's message to shipping. */
  public Optional<UUID> messageOf(long orderId) {
    return Optional.ofNullable(entities.find(Order.class, orderId)).map(Order::messageId);
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

  /** Counts those of these orders that are shipped. */
  public long countShipped(List<Long> orderIds) {
    long shipped = 0;
    for (int from = 0; from < orderIds.size(); from += IN_ONE_QUERY) {
      shipped +=
          entities
              .createQuery(
                  "SELECT COUNT(o) FROM PurchaseOrder o WHERE o.id IN :ids"
                      + " AND o.status = io.postbox.sample.orders.OrderStatus.SHIPPED",
                  Long.class)
              .setParameter(
                  "ids", orderIds.subList(from, Math.min(from + IN_ONE_QUERY, orderIds.size())))
              .getSingleResult();
    }
    return shipped;
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
  private static OutboxMessage message(String destination, OrderPlaced placed) {
    return OutboxMessage.to(destination)
        .event("OrderPlaced")
        .aggregate("Order", placed.orderId())
        .orderedBy(placed.sku())
        .json(placed);
  }
}
