package io.postbox.it.watch;

import io.postbox.inbox.Inbox;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/**
 * As with the annotation of a message-driven bean imported from javax: nobody makes a bean of it.
 */
@Inbox("stray")
public class Stray implements MessageListener {
  @Override
  public void onMessage(Message message) {}
}
