package io.postbox.it.modes;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** The same, acknowledged lazily. */
@Inbox("dups-ok")
@MessageDriven
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class DupsOkMdb implements MessageListener {
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
