package io.postbox.it.war;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.UUID;

/** Enqueues from a CDI bean. */
@ApplicationScoped
public class WarBean {
  @Inject Outbox outbox;

  /** In a transaction of its own. */
  @Transactional
  public UUID send(UUID id, String text) {
    return outbox.enqueue(OutboxMessage.to("war").id(id).text(text));
  }
}
