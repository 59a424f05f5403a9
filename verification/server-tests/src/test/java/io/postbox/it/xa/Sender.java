package io.postbox.it.xa;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import java.util.List;
import java.util.stream.IntStream;

/** Enqueues in order. */
@Stateless
public class Sender {
  @Inject Outbox outbox;

  /** In one transaction. */
  public void send(String destination, int messages) {
    List<OutboxMessage> all =
        IntStream.range(0, messages)
            .mapToObj(i -> OutboxMessage.to(destination).orderedBy("k").text(String.valueOf(i)))
            .toList();
    outbox.enqueueAll(all);
  }
}
