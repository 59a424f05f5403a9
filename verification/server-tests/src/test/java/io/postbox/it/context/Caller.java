package io.postbox.it.context;

import io.postbox.inbox.InboxGuard;
import io.postbox.inbox.InboxOutcome;
import io.postbox.inbox.InboxRequest;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.annotation.Resource;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import java.util.UUID;

/** Brings a message in a transaction of its own. */
@Stateless
public class Caller {
  @Inject InboxGuard guard;
  @Inject Clerk clerk;
  @Inject Outbox outbox;
  @Resource SessionContext context;

  /** Enqueues a message for a handler that reads its payload as an object. */
  public UUID order(OutboxMessage message) {
    return outbox.enqueue(message);
  }

  /** Brings it, and then rolls the transaction back, if asked to. */
  public InboxOutcome<String> bring(InboxRequest request, String text, boolean givesUp) {
    InboxOutcome<String> outcome =
        guard.handle(
            request,
            () -> {
              clerk.work(text, 0);
              return "worked";
            });
    if (givesUp) {
      context.setRollbackOnly();
    }
    return outcome;
  }
}
