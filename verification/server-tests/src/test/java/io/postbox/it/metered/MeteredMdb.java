package io.postbox.it.metered;

import io.postbox.inbox.Inbox;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Handles everything. */
@MessageDriven(
    activationConfig =
        @ActivationConfigProperty(
            propertyName = "destinationLookup",
            propertyValue = "jms/metered"))
@Inbox("metered")
public class MeteredMdb implements MessageListener {
  @Override
  public void onMessage(Message message) {
    // nothing to do
  }
}
