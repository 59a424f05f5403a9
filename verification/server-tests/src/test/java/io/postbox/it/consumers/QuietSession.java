package io.postbox.it.consumers;

import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxGuard;
import io.postbox.inbox.InboxRequest;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;
import jakarta.jms.Message;

/** A session bean, whose container rolls back without a word. */
@Stateless
public class QuietSession {
  @Inject Effects effects;
  @Inject InboxGuard guard;

  @Inbox("quiet-SESSION_BEAN")
  public void file(Message message) {
    effects.leave(message);
  }

  @Inbox("quiet-NEW_OF_SESSION_BEAN")
  @TransactionAttribute(TransactionAttributeType.REQUIRES_NEW)
  public void fileAnew(Message message) {
    effects.leave(message);
  }

  /** Acknowledges what the guard says it is done with. */
  public void bring(String id, Message message) {
    guard.handle(
        InboxRequest.of(Way.GUARD.consumer(), id),
        () -> {
          effects.leave(message);
          return "";
        });
  }
}
