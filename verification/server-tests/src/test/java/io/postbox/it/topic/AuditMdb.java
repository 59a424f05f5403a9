package io.postbox.it.topic;

import io.postbox.inbox.Inbox;
import io.postbox.it.tools.Database;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import org.eclipse.microprofile.config.ConfigProvider;

/** Writes down what it hears, under the name of its application. */
@Inbox("audit")
@MessageDriven(
    activationConfig = {
      @ActivationConfigProperty(propertyName = "destinationLookup", propertyValue = "jms/events"),
      @ActivationConfigProperty(
          propertyName = "destinationType",
          propertyValue = "jakarta.jms.Topic")
    })
public class AuditMdb implements MessageListener {

  @Override
  public void onMessage(Message message) {
    try {
      Database.byDefault()
          .run(
              "INSERT INTO topic_audit (application, text) VALUES (?, ?)",
              ConfigProvider.getConfig().getValue("postbox.service", String.class),
              message.getBody(String.class));
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }
}
