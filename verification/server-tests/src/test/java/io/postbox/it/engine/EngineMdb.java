package io.postbox.it.engine;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Handles in the delivery's transaction. */
@Inbox("engine")
@MessageDriven
public class EngineMdb implements MessageListener {
  @Inject Engine engine;

  @Override
  public void onMessage(Message message) {
    Bodies.handle(engine, message);
  }
}
