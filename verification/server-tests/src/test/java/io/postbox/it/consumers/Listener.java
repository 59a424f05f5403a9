package io.postbox.it.consumers;

import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Leaves an effect for each message, under the name of its consumer. */
public abstract class Listener implements MessageListener {
  @Inject Effects effects;

  @Override
  public void onMessage(Message message) {
    effects.leave(message);
  }
}
