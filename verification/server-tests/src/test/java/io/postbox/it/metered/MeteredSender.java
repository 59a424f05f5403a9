package io.postbox.it.metered;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.UUID;

/** Enqueues. */
@ApplicationScoped
public class MeteredSender {
  @Inject Outbox outbox;

  /** In a transaction of its own. */
  @Transactional
  public void send(UUID id) {
    outbox.enqueue(OutboxMessage.to("metered").id(id).text("x"));
  }
}
