package io.postbox.crash.deployed;

import io.postbox.inbox.CapturedMessage;
import io.postbox.inbox.InboxHandler;
import io.postbox.sample.events.OrderPlaced;
import io.postbox.sample.events.UnexpectedEventException;
import io.postbox.sample.shipping.ShippingService;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;

/** Ships orders whose messages were captured. */
@Stateless
public class CapturedDesk {
  @Inject ShippingService shipping;

  /** Handles one order. */
  @InboxHandler("shipping")
  public void receive(CapturedMessage message) {
    String type = message.type().orElse("missing");
    if (!type.equals("OrderPlaced")) {
      throw new UnexpectedEventException(message.id(), type, "OrderPlaced");
    }
    shipping.ship(message.payload(OrderPlaced.class));
  }
}
