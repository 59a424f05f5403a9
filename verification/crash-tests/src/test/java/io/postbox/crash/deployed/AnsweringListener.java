package io.postbox.crash.deployed;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxContext;
import io.postbox.inbox.RejectedMessageException;
import io.postbox.sample.events.OrderPlaced;
import io.postbox.sample.shipping.ShippingService;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.ObjectMessage;

/**
 * In the place of the sample's listener of shipments: it answers each message, and takes messages
 * that are nothing but a question.
 */
@Inbox("shipping")
@MessageDriven(
    name = "ShippingMdb",
    activationConfig = {
      @ActivationConfigProperty(propertyName = "destinationLookup", propertyValue = "jms/shipping"),
      @ActivationConfigProperty(
          propertyName = "destinationType",
          propertyValue = "jakarta.jms.Queue")
    })
public class AnsweringListener implements MessageListener {
  /** The type of a message that is only to be answered. */
  static final String PROBE = "Probe";

  @Inject ShippingService shipping;
  @Inject InboxContext context;

  @Override
  public void onMessage(Message message) {
    if (message instanceof ObjectMessage object) {
      throw reject(object);
    }
    if (!isProbe(message)) {
      shipping.ship(context.payload(OrderPlaced.class));
    }
    context.result("answered");
  }

  private static boolean isProbe(Message message) {
    try {
      return PROBE.equals(message.getJMSType());
    } catch (JMSException unreadable) {
      throw new RejectedMessageException("The message's JMSType cannot be read", unreadable);
    }
  }

  private static RejectedMessageException reject(ObjectMessage message) {
    try {
      return new RejectedMessageException("This is no order: " + message.getObject());
    } catch (JMSException unreadable) {
      return new RejectedMessageException("This object cannot be read", unreadable);
    }
  }
}
