package io.postbox.it.redeploy;

import io.postbox.inbox.InboxGuard;
import io.postbox.inbox.InboxRequest;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;

/** Enqueues what can be sent, and what cannot; receives, and hears of it. */
@Stateless
public class Correspondent {
  @Inject Outbox outbox;
  @Inject InboxGuard inbox;

  /** One message in a transaction of its own. */
  public void writeTo(String destination) {
    outbox.enqueue(OutboxMessage.to(destination).event("Written").text("hello"));
  }

  /** Takes in one message in a transaction of its own. */
  public void receive(InboxRequest request) {
    inbox.handle(request, () -> request);
  }

  /** Fails at one message, in a transaction of its own that is rolled back. */
  public void refuse(InboxRequest request) {
    inbox.handle(
        request,
        () -> {
          throw new IllegalStateException("no");
        });
  }
}
