package io.postbox.it.modes;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxContext;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** The same, outside of the delivery's transaction. */
@Inbox("own-again")
@MessageDriven
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class OwnAgainMdb implements MessageListener {
  @Inject InboxContext inbox;

  @Override
  public void onMessage(Message message) {
    Answering.handle(message, inbox);
  }
}
