package io.postbox.it.early;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxMode;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Messages are captured first. */
@Inbox(value = "early-captured", mode = InboxMode.CAPTURE)
@MessageDriven
public class EarlyCapturedMdb implements MessageListener {
  @Override
  public void onMessage(Message message) {
    throw new AssertionError("the listener of a captured message must not run");
  }
}
