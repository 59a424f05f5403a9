package io.postbox.outbox.server;

import io.postbox.outbox.WaitingMessages;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.ops.DeadLetterActions.Done;
import io.postbox.outbox.ops.Redirects;
import io.postbox.outbox.ops.WaitingActions;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Optional;

/** Suspends the caller's transaction, says who calls, and wakes the relay. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class WaitingMessagesBean implements WaitingMessages {
  @Inject OutboxExtension extension;
  @Inject RelayBean relay;

  /** Looked up late: where no enterprise bean is deployed, the extension says so. */
  @Inject Instance<CallerPrincipal> caller;

  @Override
  public WaitingPlan plan(String destination) {
    return actions().plan(destination, caller.get().name());
  }

  @Override
  public long discard(WaitingPlan plan, String reason) {
    Done done = actions().discard(plan, caller.get().name(), reason);
    relay.wake(done.lanes(), Optional.empty()); // what was enqueued after the plan may go now
    return done.letters();
  }

  @Override
  public void redirect(WaitingPlan plan, String target, String reason) {
    redirector().redirect(plan, target, caller.get().name(), reason);
  }

  @Override
  public boolean endRedirect(String destination, String reason) {
    return redirector().end(destination, caller.get().name(), reason);
  }

  @Override
  public List<Redirect> redirects() {
    return redirector().all();
  }

  private Redirects redirector() {
    Installation installation = extension.installation();
    return new Redirects(installation.config(), installation.dataSource(), installation.plans());
  }

  private WaitingActions actions() {
    Installation installation = extension.installation();
    return new WaitingActions(
        installation.dialect(),
        installation.config(),
        installation.dataSource(),
        installation.plans());
  }
}
