package io.postbox.it.backlog;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxMode;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** A listener in three instances whose messages are only captured. */
@Inbox(value = "backlog", mode = InboxMode.CAPTURE)
@MessageDriven
public class BacklogMdb implements MessageListener {
  @Override
  public void onMessage(Message message) {
    throw new AssertionError("the listener of a captured message must not run");
  }
}
