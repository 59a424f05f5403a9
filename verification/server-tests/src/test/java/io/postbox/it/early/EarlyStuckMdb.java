package io.postbox.it.early;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Its released messages cannot be sent to its retry destination at first. */
@Inbox("early-stuck")
@MessageDriven
public class EarlyStuckMdb implements MessageListener {
  @Override
  public void onMessage(Message message) {
    EarlySeen.note("early-stuck", message);
  }
}
