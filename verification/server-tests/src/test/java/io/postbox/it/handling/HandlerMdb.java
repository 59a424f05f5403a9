package io.postbox.it.handling;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** A listener in five instances; where it listens is said by its activation specification. */
@Inbox("handler")
@MessageDriven
public class HandlerMdb implements MessageListener {
  @Inject Handler handler;

  @Override
  public void onMessage(Message message) {
    try {
      handler.handle(message.getBody(String.class));
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }
}
