package io.postbox.it.early;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Early versions go round the broker, and are soon parked. */
@Inbox("early-delayed")
@MessageDriven
public class EarlyDelayedMdb implements MessageListener {
  @Override
  public void onMessage(Message message) {
    EarlySeen.note("early-delayed", message);
  }
}
