package io.postbox.it.business;

import io.postbox.inbox.Inbox;
import io.postbox.it.tools.Database;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Writes down in which order the messages come. */
@Inbox("ordered")
@MessageDriven(
    activationConfig =
        @ActivationConfigProperty(
            propertyName = "destinationLookup",
            propertyValue = "jms/ordered"))
public class OrderedMdb implements MessageListener {

  @Override
  public void onMessage(Message message) {
    try {
      Database.byDefault()
          .run("INSERT INTO business_arrival (name) VALUES (?)", message.getBody(String.class));
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }
}
