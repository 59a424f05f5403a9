package io.postbox.sample.shipping;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxContext;
import io.postbox.sample.events.OrderPlaced;
import io.postbox.sample.events.Trouble;
import io.postbox.sample.events.UnexpectedEventException;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Receives new orders. The inbox skips duplicates before they get here. */
@Inbox("shipping")
@MessageDriven(
    activationConfig = {
      @ActivationConfigProperty(propertyName = "destinationLookup", propertyValue = "jms/shipping"),
      @ActivationConfigProperty(
          propertyName = "destinationType",
          propertyValue = "jakarta.jms.Queue")
    })
public class ShippingMdb implements MessageListener {
  @Inject InboxContext inbox;
  @Inject ShippingService shipping;
  @Inject LabelPrinter printer;

  @Override
  public void onMessage(Message message) {
    String event = inbox.eventType().orElse("missing");
    if (!event.equals("OrderPlaced")) {
      throw new UnexpectedEventException(inbox.messageId(), event, "OrderPlaced");
    }
    // For the troubles that a visitor of the sample causes: no message of your own needs this line.
    Trouble.of(message).ifPresent(printer::print);
    shipping.ship(inbox.payload(OrderPlaced.class));
  }
}
