package io.postbox.it.consumers;

import io.postbox.inbox.Inbox;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.jms.Message;

/** A plain bean, one of whose methods is guarded. */
@ApplicationScoped
public class Cashier {
  @Inject Effects effects;

  /** In the caller's transaction, or else in one of the inbox's. */
  @Inbox("cashier")
  public void take(Message message) {
    effects.leave(message);
  }
}
