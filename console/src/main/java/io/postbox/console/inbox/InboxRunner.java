package io.postbox.console.inbox;

import io.postbox.common.OperatorActions;
import io.postbox.console.api.ActionRunner;
import io.postbox.console.api.Outcome;
import io.postbox.console.http.Fields;
import io.postbox.console.http.Problem;
import io.postbox.inbox.InboxActions;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** Carries out the inbox's plans in the background. */
@ApplicationScoped
public class InboxRunner implements ActionRunner {
  @Inject InboxActions inbox;

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
    return plan instanceof InboxPlans.Chosen;
  }

  @Override
  public Outcome start(String action, Object plan, Fields how) {
    if (how.names().contains("perSecond") || how.names().contains("first")) {
      throw Problem.invalid(
              "Only a redrive of the outbox has perSecond and first; nothing was changed.",
              "Leave them out.")
          .exception();
    }
    InboxPlans.Chosen chosen = (InboxPlans.Chosen) plan;
    return Outcome.inBackground(
        action.equals(InboxPlans.DISCARD)
            ? inbox.discard(chosen.plan(), how.reason())
            : inbox.redrive(chosen.plan(), chosen.replies(), how.reason()));
  }
}
