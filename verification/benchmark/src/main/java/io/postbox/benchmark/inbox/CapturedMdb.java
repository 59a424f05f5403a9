package io.postbox.benchmark.inbox;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxMode;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/**
 * The message stored in a transaction that the inbox begins, and acknowledged afterwards; {@link
 * CapturedHandler} writes its effect later.
 */
@Inbox(value = "captured", mode = InboxMode.CAPTURE)
@MessageDriven
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class CapturedMdb implements MessageListener {
  @Override
  public void onMessage(Message message) {} // never runs
}
