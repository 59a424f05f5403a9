package io.postbox.it.war;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import java.util.UUID;

/** Enqueues from an EJB. */
@Stateless
public class WarEjb {
  @Inject Outbox outbox;

  /** In a transaction of its own. */
  public UUID send(String text) {
    return outbox.enqueue(OutboxMessage.to("war").text(text));
  }
}
