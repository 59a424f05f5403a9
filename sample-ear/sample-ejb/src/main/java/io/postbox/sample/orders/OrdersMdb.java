package io.postbox.sample.orders;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxContext;
import io.postbox.sample.events.OrderRejected;
import io.postbox.sample.events.OrderShipped;
import io.postbox.sample.events.UnexpectedEventException;
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
  @Inject InboxContext inbox;
  @Inject OrderService orders;

  @Override
  public void onMessage(Message message) {
    String event = inbox.eventType().orElse("missing");
    switch (event) {
      case "OrderShipped" ->
          orders.record(inbox.payload(OrderShipped.class).orderId(), OrderStatus.SHIPPED);
      case "OrderRejected" ->
          orders.record(inbox.payload(OrderRejected.class).orderId(), OrderStatus.REJECTED);
      default ->
          throw new UnexpectedEventException(
              inbox.messageId(), event, "OrderShipped or OrderRejected");
    }
  }
}
