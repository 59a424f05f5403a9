package io.postbox.it.modes;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Gets its messages from an adapter that acknowledges them first. */
@Inbox("early")
@MessageDriven
public class EarlyMdb implements MessageListener {
  @Inject Failing failing;

  @Override
  public void onMessage(Message message) {
    try {
      failing.handle(message);
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }
}
