package io.postbox.it.context;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;

/** A plain bean to which a listener hands its message on: a consumer of its own. */
@ApplicationScoped
public class Auditor {
  @Inject InboxContext context;
  @Inject Notes notes;

  /** Notes the message. */
  @Inbox(value = "auditor", idFrom = IdFrom.RESOLVER, resolver = OrderNumber.class)
  public void audit(Message message) throws JMSException {
    notes.add(
        message.getBody(String.class) + " audited", context.consumer() + "/" + context.messageId());
  }
}
