package io.postbox.it.erasure;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxContext;
import io.postbox.inbox.RejectedMessageException;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Handles, rejects, or fails once, and says all it knows. */
@Inbox("people")
@MessageDriven
public class PeopleMdb implements MessageListener {
  @Inject Diary diary;
  @Inject InboxContext inbox;

  @Override
  public void onMessage(Message message) {
    try {
      String text = message.getBody(String.class);
      if (text.startsWith("reject")) {
        throw new RejectedMessageException("nobody wants " + text);
      }
      if (text.startsWith("stumble") && diary.stumblesAt(text)) {
        throw new IllegalArgumentException("not yet " + text);
      }
      inbox.result("welcome, " + text);
      diary.handle(inbox.once("greet", key -> "greeted " + text));
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }
}
