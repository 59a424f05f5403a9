package io.postbox.it.connection;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.inject.Inject;
import jakarta.persistence.PostPersist;

/** Enqueues messages while the transaction completes. */
@ApplicationScoped
public class LateEnqueuer {
  @Inject Outbox outbox;

  void before(@Observes(during = TransactionPhase.BEFORE_COMPLETION) JpaPurchases.Bought event) {
    enqueue(event.name());
  }

  void enqueue(String name) {
    outbox.enqueue(OutboxMessage.to("late").text(name));
  }

  /** Called by the flush at the commit. */
  public static class OfReceipts {
    @PostPersist
    void written(Receipt receipt) {
      CDI.current().select(LateEnqueuer.class).get().enqueue(receipt.name());
    }
  }
}
