package io.postbox.it.modes;

import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Not guarded, and on a queue with the embedded engine's own limit of deliveries. */
@MessageDriven
public class TiredMdb implements MessageListener {
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
