package io.postbox.it.kept;

import io.postbox.common.RetryPolicy;
import io.postbox.inbox.InboxPolicies;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.ParkedMessages;
import io.postbox.inbox.Redriven;
import jakarta.annotation.Resource;
import jakarta.ejb.SessionContext;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;

/** An enterprise bean with a transaction, as an application's own operations page would have. */
@Stateless
public class Operator {
  @Inject ParkedMessages parked;
  @Inject InboxPolicies policies;
  @Resource SessionContext context;

  /** Has a message sent again, in a transaction that rolls back. */
  public Redriven redriveAndRollBack(String messageId, String reason) {
    context.setRollbackOnly();
    return parked.redrive(parked.plan(KeptFilter.all().messageId(messageId)), reason);
  }

  /** Sets a policy, in a transaction that rolls back. */
  public void setPolicyAndRollBack(String consumer, RetryPolicy policy, String reason) {
    context.setRollbackOnly();
    policies.set(consumer, policy, reason);
  }

  /** Gives a message up. */
  public long discard(String messageId, String reason) {
    return parked.discard(parked.plan(KeptFilter.all().messageId(messageId)), reason);
  }
}
