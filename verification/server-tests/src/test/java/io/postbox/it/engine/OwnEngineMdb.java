package io.postbox.it.engine;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Handles in a transaction of the inbox's own. */
@Inbox("engine")
@MessageDriven
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class OwnEngineMdb implements MessageListener {
  @Inject Engine engine;

  @Override
  @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
  public void onMessage(Message message) {
    Bodies.handle(engine, message);
  }
}
