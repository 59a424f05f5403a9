package io.postbox.it.watch;

import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Nothing is wrong with it. */
@Inbox("plain")
@MessageDriven
public class PlainMdb implements MessageListener {
  @Override
  public void onMessage(Message message) {}
}
