package io.postbox.it.watch;

import io.postbox.inbox.Inbox;
import jakarta.jms.Message;

/** No bean either, and has the annotation on its method. */
public class StrayMethod {
  @Inbox("stray-method")
  public void onMessage(Message message) {}
}
