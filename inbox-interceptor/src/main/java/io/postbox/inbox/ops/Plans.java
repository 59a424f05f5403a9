package io.postbox.inbox.ops;

import io.postbox.common.PlanRefusedException;
import io.postbox.common.ops.PlanStart;
import io.postbox.common.ops.PlanTokens;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.LocalTransactions;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.KeptPlan.ForConsumer;
import io.postbox.inbox.log.InboxLog;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Shows plans, with tokens, to whoever asks for them, and checks what comes back. Thread-safe. */
public final class Plans {
  private final PlanTokens tokens;

  /**
   * @param service the owner of the tables
   * @param key that of the service
   * @param clock this node's
   */
  public Plans(String service, byte[] key, InstantSource clock) {
    tokens = new PlanTokens(service, key, clock, InboxLog::planRefused);
  }

  /** The plan as it is shown to whoever asked for it. */
  public KeptPlan of(KeptPlan counted, String principal) {
    return new KeptPlan(
        tokens.issue(principal, content(counted)),
        counted.kind(),
        counted.filter(),
        counted.upTo(),
        counted.consumers());
  }

  /**
   * Checks a plan that is to be carried out.
   *
   * @throws PlanRefusedException if it is not this service's, not theirs, or too old
   */
  void check(KeptPlan plan, String principal) {
    tokens.check(plan.token(), principal, content(plan));
  }

  /** Begins to carry out plans. */
  PlanStart start(LocalTransactions transactions, AuditStore audit) {
    return new PlanStart(
        transactions,
        audit,
        tokens,
        (what, failed) -> new InboxException(what + ": " + InboxLog.EXCEPTIONS.of(failed), failed));
  }

  private static List<Object> content(KeptPlan plan) {
    List<Object> content = new ArrayList<>(List.of(plan.kind(), plan.upTo()));
    content.addAll(PlanTokens.content(plan.filter()));
    for (ForConsumer found : plan.consumers()) {
      content.addAll(List.of(found.consumer(), found.messages(), found.oldest(), found.newest()));
    }
    return content;
  }
}
