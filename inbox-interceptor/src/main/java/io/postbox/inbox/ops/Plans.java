package io.postbox.inbox.ops;

import io.postbox.common.PlanRefusedException;
import io.postbox.common.ops.PlanStart;
import io.postbox.common.ops.PlanTokens;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.LocalTransactions;
import io.postbox.inbox.GapPlan;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.KeptPlan.ForConsumer;
import io.postbox.inbox.VersionGap;
import io.postbox.inbox.log.InboxLog;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Issues plans with tokens, and checks submitted plans. Thread-safe. */
public final class Plans {
  private final PlanTokens tokens;

  /**
   * @param service the owner of the tables
   * @param key the service's key
   * @param clock the node's clock
   */
  public Plans(String service, byte[] key, InstantSource clock) {
    tokens = new PlanTokens(service, key, clock, InboxLog::planRefused);
  }

  /** The plan with a token for the principal who asked for it. */
  public KeptPlan of(KeptPlan counted, String principal) {
    return new KeptPlan(
        tokens.issue(principal, content(counted)),
        counted.kind(),
        counted.filter(),
        counted.upTo(),
        counted.consumers());
  }

  /**
   * Checks a submitted plan.
   *
   * @throws PlanRefusedException if another service or another principal made it, or it is too old
   */
  void check(KeptPlan plan, String principal) {
    tokens.check(plan.token(), principal, content(plan));
  }

  /** The plan with a token for the principal who asked for it. */
  GapPlan of(GapPlan found, String principal) {
    return new GapPlan(tokens.issue(principal, content(found)), found.filter(), found.gaps());
  }

  /**
   * Checks a submitted plan.
   *
   * @throws PlanRefusedException if another service or another principal made it, or it is too old
   */
  void check(GapPlan plan, String principal) {
    tokens.check(plan.token(), principal, content(plan));
  }

  private static List<Object> content(GapPlan plan) {
    List<Object> content = new ArrayList<>(List.of("gaps"));
    content.addAll(PlanTokens.content(plan.filter()));
    for (VersionGap gap : plan.gaps()) {
      content.addAll(
          List.of(
              gap.consumer(),
              gap.aggregateType(),
              gap.aggregateId(),
              gap.lastHandled(),
              gap.firstWaiting()));
    }
    return content;
  }

  /** The tokens of plans of a kind that both modules have. */
  PlanTokens tokens() {
    return tokens;
  }

  /** Starts carrying out plans. */
  PlanStart start(LocalTransactions transactions, AuditStore audit) {
    return new PlanStart(
        transactions,
        audit,
        tokens,
        (what, failed) -> new InboxException(what + ": " + InboxLog.EXCEPTIONS.of(failed), failed));
  }

  static List<Object> content(KeptPlan plan) {
    List<Object> content = new ArrayList<>(List.of(plan.kind(), plan.upTo()));
    content.addAll(PlanTokens.content(plan.filter()));
    for (ForConsumer found : plan.consumers()) {
      content.addAll(List.of(found.consumer(), found.messages(), found.oldest(), found.newest()));
    }
    return content;
  }
}
