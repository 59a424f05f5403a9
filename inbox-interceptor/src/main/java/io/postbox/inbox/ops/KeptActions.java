package io.postbox.inbox.ops;

import io.postbox.common.ActionUnfinishedException;
import io.postbox.common.OperatorAction;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.RedrivePace;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.Redriven;
import io.postbox.inbox.ReplyOnRedrive;

/**
 * Starts actions on kept messages of one kind, and waits for their end. Thread-safe.
 *
 * @param kind the kind of messages
 * @param actions of this node
 */
public record KeptActions(Kind kind, BackgroundActions actions) {

  /**
   * Sends the messages of a plan.
   *
   * @param replies whether they keep their reply destinations
   * @throws IllegalArgumentException if there is no reason, the plan is for the other kind, or it
   *     searches encrypted values
   * @throws PlanRefusedException if the plan is invalid
   * @throws ActionUnfinishedException if the action was begun and is not done
   * @throws InboxException if the database failed
   */
  public Redriven redrive(KeptPlan plan, ReplyOnRedrive replies, String principal, String reason) {
    checkKind(plan);
    OperatorAction done =
        actions
            .control()
            .untilDone(
                actions.redrive(
                    plan.token().id(), replies, RedrivePace.FASTEST, principal, reason));
    return new Redriven(done.done(), done.failures(), actions.refusals(done));
  }

  /**
   * Discards the messages of a plan; it throws what a redrive does.
   *
   * @return how many
   */
  public long discard(KeptPlan plan, String principal, String reason) {
    checkKind(plan);
    return actions
        .control()
        .untilDone(actions.discard(plan.token().id(), principal, reason))
        .done();
  }

  /**
   * Parks the messages of a plan that are retried by themselves; it throws what a redrive does.
   *
   * @return how many
   */
  public long hold(KeptPlan plan, String principal, String reason) {
    checkKind(plan);
    return actions.control().untilDone(actions.hold(plan.token().id(), principal, reason)).done();
  }

  private void checkKind(KeptPlan plan) {
    if (plan.kind() != kind) {
      throw new IllegalArgumentException(
          "The plan is for %s messages, but this action is for %s ones; nothing was changed."
              .formatted(BackgroundActions.word(plan.kind()), BackgroundActions.word(kind)));
    }
  }
}
