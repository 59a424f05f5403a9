package io.postbox.it.early;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** One early version is buffered, and others are parked. */
@Inbox("early-full")
@MessageDriven
public class EarlyFullMdb implements MessageListener {
  @Override
  public void onMessage(Message message) {
    EarlySeen.note("early-full", message);
  }
}
