package io.postbox.it.modes;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Its messages cannot be sent to it again: the retry destination is not there. */
@Inbox("lost")
@MessageDriven
public class LostMdb implements MessageListener {
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
