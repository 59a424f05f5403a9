package io.postbox.it.consumers;

import io.postbox.inbox.Inbox;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import jakarta.jms.Message;

/** A session bean, guarded as a whole. */
@Inbox("clerk")
@Stateless
public class Clerk {
  @Inject Effects effects;

  /** In the caller's transaction, or else in its own. */
  public void file(Message message) {
    effects.leave(message);
  }
}
