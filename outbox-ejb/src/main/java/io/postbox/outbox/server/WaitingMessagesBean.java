package io.postbox.outbox.server;

import io.postbox.common.OperatorAction;
import io.postbox.common.PlanToken;
import io.postbox.outbox.WaitingMessages;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.ops.BackgroundActions;
import io.postbox.outbox.ops.Redirects;
import io.postbox.outbox.ops.WaitingActions;
import io.postbox.outbox.server.OutboxDatabase.Part;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Suspends the caller's transaction, passes on the caller's principal, and wakes the relay. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class WaitingMessagesBean implements WaitingMessages {
  @Inject OutboxDatabase database;
  @Inject RelayBean relay;
  @Inject ActionRunnerBean runner;

  /** Looked up late, so that the extension can report that enterprise beans are not deployed. */
  @Inject Instance<CallerPrincipal> caller;

  private Part<WaitingActions> actions;
  private Part<Redirects> redirects;

  @PostConstruct
  void wire() {
    OutboxConfig config = database.config();
    DataSource dataSource = database.dataSource();
    actions = database.whenReady(dialect -> new WaitingActions(dialect, config, dataSource));
    redirects = database.whenReady(dialect -> new Redirects(dialect, config, dataSource));
  }

  @Override
  public WaitingPlan plan(String destination) {
    return actions.get().plan(destination, caller.get().name());
  }

  @Override
  public long discard(WaitingPlan plan, String reason) {
    BackgroundActions background = runner.actions();
    OperatorAction started =
        background.discardWaiting(plan.token().id(), caller.get().name(), reason);
    return background.control().untilDone(started).done();
  }

  @Override
  public boolean cancel(UUID id, String reason) {
    return cancel(Optional.empty(), id, reason);
  }

  @Override
  public PlanToken planCancel(UUID id) {
    return actions.get().planCancel(id, caller.get().name());
  }

  @Override
  public boolean cancel(UUID plan, UUID id, String reason) {
    return cancel(Optional.of(plan), id, reason);
  }

  private boolean cancel(Optional<UUID> plan, UUID id, String reason) {
    Optional<Lane> cancelled = actions.get().cancel(plan, id, caller.get().name(), reason);
    relay.wake(cancelled.stream().collect(Collectors.toSet()), Optional.empty());
    return cancelled.isPresent(); // messages behind it may be due now
  }

  @Override
  public void redirect(UUID plan, String destination, String target, String reason) {
    redirects.get().redirect(plan, destination, target, caller.get().name(), reason);
  }

  @Override
  public boolean endRedirect(String destination, String reason) {
    return redirects.get().end(destination, caller.get().name(), reason);
  }

  @Override
  public List<Redirect> redirects() {
    return redirects.get().all();
  }
}
