package io.postbox.console.outbox;

import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorActions;
import io.postbox.console.api.ActionRunner;
import io.postbox.console.api.Outcome;
import io.postbox.console.http.Fields;
import io.postbox.console.http.Problem;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.OutboxActions;
import io.postbox.outbox.WaitingPlan;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;

/** Carries out the outbox's plans in the background. */
@ApplicationScoped
public class OutboxRunner implements ActionRunner {
  private static final int HIGHEST_RATE = 1_000_000;
  private static final int MOST_FIRST = 1_000;

  @Inject OutboxActions outbox;
  @Inject SingleMessages messages;

  @Override
  public String module() {
    return "outbox";
  }

  @Override
  public OperatorActions actions() {
    return outbox;
  }

  @Override
  public boolean isOwn(String action, Object plan) {
    return plan instanceof DeadLetterPlan
        || plan instanceof SingleMessages.Plan
        || (plan instanceof WaitingPlan && action.equals(OutboxPlans.DISCARD_WAITING));
  }

  @Override
  public Outcome start(String action, Object plan, Fields how) {
    Optional<Integer> rate = how.whole("perSecond", 1, HIGHEST_RATE);
    Optional<Integer> first = how.whole("first", 1, MOST_FIRST);
    if (!action.equals(OutboxPlans.REDRIVE) && (rate.isPresent() || first.isPresent())) {
      throw Problem.invalid(
              "Only a redrive has perSecond and first; nothing was changed.", "Leave them out.")
          .exception();
    }
    if (plan instanceof SingleMessages.Plan one) {
      return messages.run(action, one, how.reason());
    }
    return Outcome.inBackground(
        plan instanceof WaitingPlan waiting
            ? outbox.discard(waiting, how.reason())
            : start(action, (DeadLetterPlan) plan, rate, first, how.reason()));
  }

  private OperatorAction start(
      String action,
      DeadLetterPlan letters,
      Optional<Integer> rate,
      Optional<Integer> first,
      String reason) {
    if (action.equals(OutboxPlans.DISCARD)) {
      return outbox.discard(letters, reason);
    }
    DeadLetterPlan atRate = rate.map(letters::atRate).orElse(letters);
    return first.isPresent()
        ? outbox.redriveFirst(atRate, first.get(), reason)
        : outbox.redrive(atRate, reason);
  }
}
