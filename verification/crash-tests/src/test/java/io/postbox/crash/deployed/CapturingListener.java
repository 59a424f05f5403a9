package io.postbox.crash.deployed;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxMode;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/**
 * In the place of the sample's listener of shipments: its messages are stored, and {@link
 * CapturedDesk} handles them later.
 */
@Inbox(value = "shipping", mode = InboxMode.CAPTURE)
@MessageDriven(
    name = "ShippingMdb",
    activationConfig = {
      @ActivationConfigProperty(propertyName = "destinationLookup", propertyValue = "jms/shipping"),
      @ActivationConfigProperty(
          propertyName = "destinationType",
          propertyValue = "jakarta.jms.Queue")
    })
public class CapturingListener implements MessageListener {
  @Override
  public void onMessage(Message message) {} // never runs
}
