package io.postbox.console.outbox;

import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorActions;
import io.postbox.console.api.ActionRunner;
import io.postbox.console.api.Outcome;
import io.postbox.console.http.Fields;
import io.postbox.console.http.Plans.OfModule;
import io.postbox.console.http.Problem;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.OutboxActions;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Carries out the outbox's plans in the background. */
@ApplicationScoped
public class OutboxRunner implements ActionRunner {
  private static final int MOST_FIRST = 1_000;
  private static final Set<String> BACKGROUND =
      Set.of(OutboxPlans.REDRIVE, OutboxPlans.DISCARD, OutboxPlans.DISCARD_WAITING);

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
    return plan instanceof SingleMessages.Plan
        || (plan instanceof OfModule row
            && row.module().equals(module())
            && BACKGROUND.contains(action));
  }

  @Override
  public Outcome start(String action, Object plan, Fields how) {
    Optional<Integer> rate = how.whole("perSecond", 1, DeadLetterPlan.HIGHEST_RATE);
    Optional<Integer> first = how.whole("first", 1, MOST_FIRST);
    if (!action.equals(OutboxPlans.REDRIVE) && (rate.isPresent() || first.isPresent())) {
      throw Problem.invalid(
              "Only a redrive has perSecond and first; nothing was changed.", "Leave them out.")
          .exception();
    }
    if (plan instanceof SingleMessages.Plan one) {
      return messages.run(action, one, how.reason());
    }
    return Outcome.inBackground(start(action, ((OfModule) plan).id(), rate, first, how.reason()));
  }

  private OperatorAction start(
      String action, UUID plan, Optional<Integer> rate, Optional<Integer> first, String reason) {
    if (action.equals(OutboxPlans.DISCARD)) {
      return outbox.discard(plan, reason);
    }
    if (action.equals(OutboxPlans.DISCARD_WAITING)) {
      return outbox.discardWaiting(plan, reason);
    }
    int perSecond = rate.orElse(DeadLetterPlan.DEFAULT_RATE);
    return first.isPresent()
        ? outbox.redriveFirst(plan, perSecond, first.get(), reason)
        : outbox.redrive(plan, perSecond, reason);
  }
}
