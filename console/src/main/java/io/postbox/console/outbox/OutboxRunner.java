package io.postbox.console.outbox;

import io.postbox.common.Erasure;
import io.postbox.common.OperatorActions;
import io.postbox.console.api.ActionRunner;
import io.postbox.console.api.Outcome;
import io.postbox.console.http.PlanId;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.OutboxActions;
import io.postbox.outbox.OutboxErasure;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.UUID;

/** Carries out the outbox's plans, most of them in the background. */
@ApplicationScoped
public class OutboxRunner implements ActionRunner {
  @Inject OutboxActions outbox;
  @Inject OutboxErasure erasure;
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
  public Erasure erasure() {
    return erasure;
  }

  @Override
  public Optional<Outcome> start(
      PlanId plan, Optional<Integer> perSecond, Optional<Integer> first, String reason) {
    UUID row = plan.row();
    int rate = perSecond.orElse(DeadLetterPlan.DEFAULT_RATE);
    return switch (plan.action()) {
      case OutboxPlans.REDRIVE ->
          Outcome.inBackground(
              first.isPresent()
                  ? outbox.redriveFirst(row, rate, first.get(), reason)
                  : outbox.redrive(row, rate, reason));
      case OutboxPlans.DISCARD -> Outcome.inBackground(outbox.discard(row, reason));
      case OutboxPlans.DISCARD_WAITING -> Outcome.inBackground(outbox.discardWaiting(row, reason));
      default -> messages.run(plan, reason);
    };
  }
}
