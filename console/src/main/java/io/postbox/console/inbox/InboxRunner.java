package io.postbox.console.inbox;

import io.postbox.common.OperatorActions;
import io.postbox.console.api.ActionRunner;
import io.postbox.console.api.Outcome;
import io.postbox.console.http.Fields;
import io.postbox.console.http.Json;
import io.postbox.console.http.Plans.OfModule;
import io.postbox.console.http.Problem;
import io.postbox.inbox.InboxActions;
import io.postbox.inbox.RedrivePace;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.SkippedGaps;
import io.postbox.inbox.VersionGaps;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Carries out the inbox's plans, most of them in the background. */
@ApplicationScoped
public class InboxRunner implements ActionRunner {
  private static final Set<String> ACTIONS =
      Set.of(InboxPlans.REDRIVE, InboxPlans.REDRIVE_WITHOUT_REPLIES, InboxPlans.DISCARD, Gaps.SKIP);

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
    return plan instanceof OfModule row
        && row.module().equals(module())
        && ACTIONS.contains(action);
  }

  @Override
  public Outcome start(String action, Object plan, Fields how) {
    Optional<Integer> rate = how.whole("perSecond", 1, RedrivePace.HIGHEST_RATE);
    Optional<Integer> first = how.whole("first", 1, RedrivePace.MOST_FIRST);
    boolean redrives = !action.equals(InboxPlans.DISCARD) && !action.equals(Gaps.SKIP);
    if (!redrives && (rate.isPresent() || first.isPresent())) {
      throw Problem.invalid(
              "Only a redrive has perSecond and first; nothing was changed.", "Leave them out.")
          .exception();
    }
    UUID id = ((OfModule) plan).id();
    if (action.equals(Gaps.SKIP)) {
      SkippedGaps done = gaps.skip(id, how.reason());
      return new Outcome(
          200, Json.object().put("skipped", done.skipped()).put("leftAlone", done.changed()));
    }
    RedrivePace pace = RedrivePace.FASTEST.first(first.orElse(0));
    return Outcome.inBackground(
        redrives
            ? inbox.redrive(
                id,
                action.equals(InboxPlans.REDRIVE) ? ReplyOnRedrive.KEEP : ReplyOnRedrive.DROP,
                rate.map(pace::atRate).orElse(pace),
                how.reason())
            : inbox.discard(id, how.reason()));
  }
}
