package io.postbox.it.erasure;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxMode;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Messages that are only captured. */
@Inbox(value = "later", mode = InboxMode.CAPTURE)
@MessageDriven
public class LaterMdb implements MessageListener {
  @Override
  public void onMessage(Message message) {
    throw new AssertionError("the listener of a captured message must not run");
  }
}
