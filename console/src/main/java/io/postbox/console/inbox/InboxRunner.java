package io.postbox.console.inbox;

import io.postbox.common.Erasure;
import io.postbox.common.OperatorActions;
import io.postbox.console.api.ActionRunner;
import io.postbox.console.api.Outcome;
import io.postbox.console.http.Json;
import io.postbox.console.http.PlanId;
import io.postbox.inbox.InboxActions;
import io.postbox.inbox.InboxErasure;
import io.postbox.inbox.RedrivePace;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.SkippedGaps;
import io.postbox.inbox.VersionGaps;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.UUID;

/** Carries out the inbox's plans, most of them in the background. */
@ApplicationScoped
public class InboxRunner implements ActionRunner {
  @Inject InboxActions inbox;
  @Inject InboxErasure erasure;
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
  public Erasure erasure() {
    return erasure;
  }

  @Override
  public Optional<Outcome> start(
      PlanId plan, Optional<Integer> perSecond, Optional<Integer> first, String reason) {
    UUID row = plan.row();
    RedrivePace fastest = RedrivePace.FASTEST.first(first.orElse(0));
    RedrivePace pace = perSecond.map(fastest::atRate).orElse(fastest);
    return switch (plan.action()) {
      case InboxPlans.REDRIVE ->
          Outcome.inBackground(inbox.redrive(row, ReplyOnRedrive.KEEP, pace, reason));
      case InboxPlans.REDRIVE_WITHOUT_REPLIES ->
          Outcome.inBackground(inbox.redrive(row, ReplyOnRedrive.DROP, pace, reason));
      case InboxPlans.DISCARD -> Outcome.inBackground(inbox.discard(row, reason));
      case Gaps.SKIP -> {
        SkippedGaps done = gaps.skip(row, reason);
        yield Outcome.atOnce(
            Json.object().put("skipped", done.skipped()).put("leftAlone", done.changed()));
      }
      default -> Optional.empty();
    };
  }
}
