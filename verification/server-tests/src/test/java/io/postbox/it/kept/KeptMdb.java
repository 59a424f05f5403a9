package io.postbox.it.kept;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.RejectedMessageException;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** A listener that rejects what the test says. */
@Inbox("kept")
@MessageDriven
public class KeptMdb implements MessageListener {
  @Inject Desk desk;

  @Override
  public void onMessage(Message message) {
    try {
      String text = message.getBody(String.class);
      if (desk.isUnwanted(text)) {
        throw new RejectedMessageException("not " + text);
      }
      if (desk.stumblesAt(text)) {
        throw new IllegalArgumentException("not yet " + text);
      }
      desk.handle(text);
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }
}
