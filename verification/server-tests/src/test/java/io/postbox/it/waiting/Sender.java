package io.postbox.it.waiting;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import java.util.UUID;

/** Enqueues to a destination that nobody has defined. */
@Stateless
public class Sender {
  @Inject Outbox outbox;

  /** In a transaction of its own. */
  public UUID send(String text) {
    return outbox.enqueue(OutboxMessage.to("nowhere").text(text));
  }
}
