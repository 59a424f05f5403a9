package io.postbox.it.watch;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;

/** Enqueues, each call in a transaction of its own. */
@Stateless
public class Sender {
  @Inject Outbox outbox;

  /** Some messages. */
  public void send(String destination, int messages) {
    for (int i = 0; i < messages; i++) {
      outbox.enqueue(OutboxMessage.to(destination).text("x"));
    }
  }
}
