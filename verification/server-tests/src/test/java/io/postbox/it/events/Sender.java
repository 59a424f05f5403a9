package io.postbox.it.events;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Enqueues, each call in a transaction of its own. */
@Stateless
public class Sender {
  @Inject Outbox outbox;

  /** Messages that can be sent. */
  public List<UUID> send(String event, int messages) {
    List<OutboxMessage> all = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      all.add(OutboxMessage.to("captured").event(event).text("x"));
    }
    return outbox.enqueueAll(all);
  }

  /** One that never can: nobody can answer where it says. */
  public UUID sendPoison(String event) {
    return outbox.enqueue(
        OutboxMessage.to("captured").event(event).orderedBy("k").replyTo("nowhere").text("x"));
  }
}
