package io.postbox.it.watch;

import io.postbox.inbox.Inbox;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Listens on a topic, and does not say that it is one. */
@Inbox("looked-up")
@MessageDriven(
    activationConfig =
        @ActivationConfigProperty(propertyName = "destinationLookup", propertyValue = "jms/events"))
public class LookupMdb implements MessageListener {
  @Override
  public void onMessage(Message message) {}
}
