package io.postbox.it.payload;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import java.util.UUID;

/** Enqueues whatever it gets, in a transaction of its own. */
@Stateless
public class Sender {
  @Inject Outbox outbox;

  /** Needs no transaction, makes one. */
  public UUID send(OutboxMessage message) {
    return outbox.enqueue(message);
  }
}
