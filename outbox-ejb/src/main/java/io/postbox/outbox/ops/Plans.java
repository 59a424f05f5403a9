package io.postbox.outbox.ops;

import io.postbox.common.PlanRefusedException;
import io.postbox.common.ops.PlanStart;
import io.postbox.common.ops.PlanTokens;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.LocalTransactions;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.DeadLetterPlan.ForDestination;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.log.OutboxLog;
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
    tokens = new PlanTokens(service, key, clock, OutboxLog::planRefused);
  }

  /** The plan with a token for the principal who asked for it. */
  public DeadLetterPlan of(DeadLetterPlan counted, String principal) {
    return new DeadLetterPlan(
        tokens.issue(principal, content(counted)),
        counted.filter(),
        counted.asOf(),
        counted.perSecond(),
        counted.destinations());
  }

  /** The plan with a token for the principal who asked for it. */
  public WaitingPlan of(WaitingPlan counted, String principal) {
    return new WaitingPlan(
        tokens.issue(principal, content(counted)),
        counted.destination(),
        counted.asOf(),
        counted.pending(),
        counted.delayed(),
        counted.held());
  }

  /**
   * Checks a submitted plan.
   *
   * @throws PlanRefusedException if another service or another principal made it, or it is too old
   */
  void check(DeadLetterPlan plan, String principal) {
    tokens.check(plan.token(), principal, content(plan));
  }

  /**
   * Checks a submitted plan.
   *
   * @throws PlanRefusedException if another service or another principal made it, or it is too old
   */
  void check(WaitingPlan plan, String principal) {
    tokens.check(plan.token(), principal, content(plan));
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
        (what, failed) ->
            new OutboxException(what + ": " + OutboxLog.EXCEPTIONS.of(failed), failed));
  }

  /** All parts of the plan but the rate, which the caller may change. */
  static List<Object> content(DeadLetterPlan plan) {
    List<Object> content = new ArrayList<>(List.of("dead letters", plan.asOf()));
    content.addAll(PlanTokens.content(plan.filter()));
    for (ForDestination found : plan.destinations()) {
      content.addAll(
          List.of(
              found.destination(),
              found.letters(),
              found.orderingKeys(),
              found.followers(),
              found.expired(),
              found.oldest(),
              found.newest()));
    }
    return content;
  }

  static List<Object> content(WaitingPlan plan) {
    return List.of(
        "waiting", plan.destination(), plan.asOf(), plan.pending(), plan.delayed(), plan.held());
  }

  /** For the record of a plan whose messages were not all counted. */
  static String leastNumber(WaitingPlan plan) {
    return plan.estimated()
        ? ", at least %s of them, for not all were counted".formatted(plan.messages())
        : "";
  }
}
