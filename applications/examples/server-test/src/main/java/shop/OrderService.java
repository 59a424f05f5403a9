package shop;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import java.util.UUID;

/** Takes orders. */
@Stateless
public class OrderService {
  @Inject Outbox outbox;

  /** Takes an order, and tells shipping under a message id that the caller chooses. */
  public void place(String orderId, UUID messageId) {
    outbox.enqueue(
        OutboxMessage.to("shipping")
            .event("OrderPlaced")
            .aggregate("Order", orderId)
            .id(messageId)
            .text(orderId));
  }
}
