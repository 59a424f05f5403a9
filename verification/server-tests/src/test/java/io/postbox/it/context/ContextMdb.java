package io.postbox.it.context;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxContext;
import jakarta.ejb.MessageDriven;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;

/** Has the auditor note it, and lets the clerk fail as often as the second word says. */
@Inbox("clerk")
@MessageDriven
public class ContextMdb implements MessageListener {
  @Inject InboxContext context;
  @Inject Clerk clerk;
  @Inject Auditor auditor;

  @Override
  public void onMessage(Message message) {
    if (context.eventType().filter("OrderPlaced"::equals).isPresent()) {
      clerk.read(); // in another bean, which has not seen the message
      return;
    }
    try {
      String text = message.getBody(String.class);
      auditor.audit(message);
      clerk.work(text, Integer.parseInt(text.split(" ")[1]));
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }
}
