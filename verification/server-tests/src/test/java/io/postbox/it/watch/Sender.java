package io.postbox.it.watch;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.OutboxStatistics;
import io.postbox.outbox.OutboxStatistics.DestinationStatistics;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import java.util.List;

/** Enqueues, each call in a transaction of its own. */
@Stateless
public class Sender {
  @Inject Outbox outbox;
  @Inject OutboxStatistics statistics;

  /** Some messages. */
  public void send(String destination, int messages) {
    for (int i = 0; i < messages; i++) {
      outbox.enqueue(OutboxMessage.to(destination).text("x"));
    }
  }

  /** Some messages, and what is counted of them before they are committed. */
  public List<DestinationStatistics> sendAndCount(String destination, int messages) {
    send(destination, messages);
    return statistics.byDestination();
  }
}
