package io.postbox.it.watch;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.Inbox;
import jakarta.ejb.MessageDriven;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Goes by a header that is another one each time a message is sent. */
@Inbox(value = "by-header", idFrom = IdFrom.JMS_MESSAGE_ID)
@MessageDriven
public class HeaderMdb implements MessageListener {
  @Override
  public void onMessage(Message message) {}
}
