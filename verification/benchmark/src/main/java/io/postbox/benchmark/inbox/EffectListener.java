package io.postbox.benchmark.inbox;

import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.sql.SQLException;

/** Writes the effect of each message when it is delivered. */
public abstract class EffectListener implements MessageListener {
  @Inject private Effects effects;

  @Override
  public void onMessage(Message message) {
    try {
      effects.write(message.getStringProperty("OutboxMessageId"), message.getBody(String.class));
    } catch (JMSException | SQLException failed) {
      throw new IllegalStateException("A message has no effect", failed);
    }
  }
}
