package io.postbox.it.war;

import io.postbox.inbox.Inbox;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Listens in the WAR; the annotation is on the method. */
@MessageDriven(
    activationConfig =
        @ActivationConfigProperty(propertyName = "destinationLookup", propertyValue = "jms/war"))
public class WarMdb implements MessageListener {
  @Inject Heard heard;

  @Inbox("war")
  @Override
  public void onMessage(Message message) {
    try {
      heard.add(message.getBody(String.class));
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }
}
