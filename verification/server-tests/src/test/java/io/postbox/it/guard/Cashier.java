package io.postbox.it.guard;

import io.postbox.inbox.InboxBatchOutcome;
import io.postbox.inbox.InboxGuard;
import io.postbox.inbox.InboxOutcome;
import io.postbox.inbox.InboxRequest;
import jakarta.annotation.Resource;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import java.util.List;

/** Has messages captured in its own transaction, in which it writes too. */
@Stateless
public class Cashier {
  @Inject InboxGuard guard;
  @Inject Clerk clerk;
  @Resource SessionContext context;

  /** Captures a message and writes a text, and then rolls both back, if asked to. */
  public InboxOutcome<Void> capture(InboxRequest request, String text, boolean givesUp) {
    InboxOutcome<Void> outcome = guard.capture(request);
    clerk.write(text);
    if (givesUp) {
      context.setRollbackOnly();
    }
    return outcome;
  }

  /** Goes on as if nothing had happened when a message is refused. */
  public boolean captureRegardless(InboxRequest request, String text) {
    clerk.write(text);
    try {
      guard.capture(request);
      return true;
    } catch (RuntimeException refused) {
      return false;
    }
  }

  /** Captures a batch, or tries. */
  public InboxBatchOutcome<Void> captureAll(List<InboxRequest> requests) {
    return guard.captureAll(requests);
  }
}
