package io.postbox.it.context;

import io.postbox.inbox.InboxGuard;
import io.postbox.inbox.InboxOutcome;
import io.postbox.inbox.InboxRequest;
import jakarta.annotation.Resource;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;

/** Brings a message in a transaction of its own. */
@Stateless
public class Caller {
  @Inject InboxGuard guard;
  @Inject Clerk clerk;
  @Resource SessionContext context;

  /** Brings it, and then gives the transaction up, if told. */
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
