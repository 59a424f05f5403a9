package io.postbox.console.inbox;

import io.postbox.common.OperatorActions;
import io.postbox.console.api.ActionRunner;
import io.postbox.console.api.Outcome;
import io.postbox.console.http.Fields;
import io.postbox.console.http.Json;
import io.postbox.console.http.Problem;
import io.postbox.inbox.GapPlan;
import io.postbox.inbox.InboxActions;
import io.postbox.inbox.RedrivePace;
import io.postbox.inbox.SkippedGaps;
import io.postbox.inbox.VersionGaps;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;

/** Carries out the inbox's plans, most of them in the background. */
@ApplicationScoped
public class InboxRunner implements ActionRunner {
  @Inject InboxActions inbox;
  @Inject VersionGaps gaps;

  @Override
  public String module() {
    return "inbox";
  }

  @Override
  public OperatorActions actions() {
    return inbox;
  }

  @Override
  public boolean isOwn(String action, Object plan) {
    return plan instanceof InboxPlans.Chosen || plan instanceof GapPlan;
  }

  @Override
  public Outcome start(String action, Object plan, Fields how) {
    Optional<Integer> rate = how.whole("perSecond", 1, RedrivePace.HIGHEST_RATE);
    Optional<Integer> first = how.whole("first", 1, RedrivePace.MOST_FIRST);
    if (!action.equals(InboxPlans.REDRIVE) && (rate.isPresent() || first.isPresent())) {
      throw Problem.invalid(
              "Only a redrive has perSecond and first; nothing was changed.", "Leave them out.")
          .exception();
    }
    if (plan instanceof GapPlan skip) {
      SkippedGaps done = gaps.skip(skip, how.reason());
      return new Outcome(
          200, Json.object().put("skipped", done.skipped()).put("leftAlone", done.changed()));
    }
    RedrivePace pace = RedrivePace.FASTEST.first(first.orElse(0));
    InboxPlans.Chosen chosen = (InboxPlans.Chosen) plan;
    return Outcome.inBackground(
        action.equals(InboxPlans.DISCARD)
            ? inbox.discard(chosen.plan(), how.reason())
            : inbox.redrive(
                chosen.plan(),
                chosen.replies(),
                rate.map(pace::atRate).orElse(pace),
                how.reason()));
  }
}
