package io.postbox.it.erasure;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import java.util.UUID;

/** Enqueues, each message in a transaction of its own. */
@Stateless
public class Sender {
  @Inject Outbox outbox;

  /** Enqueues a message. */
  public UUID send(OutboxMessage message) {
    return outbox.enqueue(message);
  }
}
