package io.postbox.it.undeploy;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;

/** Enqueues to a destination that nobody has defined, so that the relay has work. */
@Stateless
public class Sender {
  @Inject Outbox outbox;

  /** In a transaction of its own. */
  public void send() {
    outbox.enqueue(OutboxMessage.to("nowhere").text("never sent"));
  }
}
