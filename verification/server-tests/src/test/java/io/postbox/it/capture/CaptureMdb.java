package io.postbox.it.capture;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxMode;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** A listener in five instances whose messages are only captured. */
@Inbox(value = "capture", mode = InboxMode.CAPTURE)
@MessageDriven
public class CaptureMdb implements MessageListener {
  @Override
  public void onMessage(Message message) {
    throw new AssertionError("the listener of a captured message must not run");
  }
}
