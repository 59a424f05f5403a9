package io.postbox.sample.orders;

import io.postbox.inbox.Inbox;
import io.postbox.sample.events.Events;
import io.postbox.sample.events.OrderRejected;
import io.postbox.sample.events.OrderShipped;
import io.postbox.sample.events.UnreadableEventException;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Receives from shipping the outcome of an order. */
@Inbox("orders")
@MessageDriven(
    activationConfig = {
      @ActivationConfigProperty(propertyName = "destinationLookup", propertyValue = "jms/orders"),
      @ActivationConfigProperty(
          propertyName = "destinationType",
          propertyValue = "jakarta.jms.Queue")
    })
public class OrdersMdb implements MessageListener {
  @Inject OrderService orders;

  @Override
  public void onMessage(Message message) {
    String type = Events.typeOf(message);
    switch (type) {
      case "OrderShipped" ->
          orders.record(Events.read(message, OrderShipped.class).orderId(), OrderStatus.SHIPPED);
      case "OrderRejected" ->
          orders.record(Events.read(message, OrderRejected.class).orderId(), OrderStatus.REJECTED);
      default ->
          throw UnreadableEventException.unexpected(message, type, "OrderShipped or OrderRejected");
    }
  }
}
