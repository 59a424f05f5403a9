package io.postbox.it.modes;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxContext;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Its messages are retried as they say. */
@Inbox("again")
@MessageDriven
public class AgainMdb implements MessageListener {
  @Inject InboxContext inbox;

  @Override
  public void onMessage(Message message) {
    Answering.handle(message, inbox);
  }
}
