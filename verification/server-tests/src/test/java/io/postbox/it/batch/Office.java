package io.postbox.it.batch;

import io.postbox.inbox.InboxBatchOutcome;
import io.postbox.inbox.InboxGuard;
import io.postbox.inbox.InboxOutcome;
import io.postbox.inbox.InboxRequest;
import jakarta.annotation.Resource;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;
import java.util.List;

/** Brings batches in its own transaction. */
@Stateless
public class Office {
  @Inject InboxGuard guard;
  @Inject Ledger ledger;
  @Resource SessionContext context;

  /** Brings all in this transaction, and then rolls it back, if asked to. */
  public List<InboxOutcome<String>> together(List<InboxRequest> requests, boolean givesUp) {
    List<InboxOutcome<String>> outcomes = guard.handleTogether(requests, request -> ledger.book());
    if (givesUp) {
      context.setRollbackOnly();
    }
    return outcomes;
  }

  /** Brings each in a transaction of its own, or tries. */
  public InboxBatchOutcome<String> each(List<InboxRequest> requests) {
    return guard.handleAll(requests, request -> ledger.book());
  }
}
