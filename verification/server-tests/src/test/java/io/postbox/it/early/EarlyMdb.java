package io.postbox.it.early;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Early versions are buffered. */
@Inbox("early")
@MessageDriven
public class EarlyMdb implements MessageListener {
  @Override
  public void onMessage(Message message) {
    EarlySeen.note("early", message);
  }
}
