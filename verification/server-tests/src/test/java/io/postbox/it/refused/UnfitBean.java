package io.postbox.it.refused;

import io.postbox.inbox.Inbox;
import jakarta.ejb.Asynchronous;
import jakarta.ejb.Stateless;
import jakarta.jms.Message;

/** Would have messages acknowledged before it has handled them. */
@Stateless
public class UnfitBean {

  @Asynchronous
  @Inbox("unfit-too")
  public void handle(Message message) {}
}
