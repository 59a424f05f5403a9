package io.postbox.it.undeploy;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;

/** Enqueues what can be sent, and what cannot. */
@Stateless
public class Correspondent {
  @Inject Outbox outbox;

  /** One message in a transaction of its own. */
  public void writeTo(String destination) {
    outbox.enqueue(OutboxMessage.to(destination).event("Written").text("hello"));
  }
}
