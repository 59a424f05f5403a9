package io.postbox.it.cdc;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.OutboxMessage;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import java.util.List;
import java.util.UUID;

/** Enqueues, each call in a transaction of its own. */
@Stateless
public class Sender {
  @Inject Outbox outbox;

  /** One message. */
  public UUID send(OutboxMessage message) {
    return outbox.enqueue(message);
  }

  /** Some messages. */
  public List<UUID> sendAll(List<OutboxMessage> messages) {
    return outbox.enqueueAll(messages);
  }

  /** Enqueues, and goes on as if nothing were wrong. */
  public void sendRegardless(OutboxMessage message) {
    try {
      outbox.enqueue(message);
    } catch (OutboxException ignored) { // as careless code would
      return;
    }
    throw new IllegalStateException("it was taken");
  }
}
