package io.postbox.crash.deployed;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxContext;
import io.postbox.sample.events.OrderPlaced;
import io.postbox.sample.shipping.ShippingService;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.jms.Message;

/** Ships orders in a transaction that the container begins for this bean. */
@Stateless
@Inbox("shipping")
public class OutsideDesk {
  @Inject InboxContext inbox;
  @Inject ShippingService shipping;

  /** Handles one order. */
  public void receive(Message message) {
    shipping.ship(inbox.payload(OrderPlaced.class));
  }
}
