package io.postbox.outbox.server;

import io.postbox.common.PlanToken;
import io.postbox.outbox.WaitingMessages;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.ops.Redirects;
import io.postbox.outbox.ops.WaitingActions;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

@ApplicationScoped
class WaitingMessagesBean extends OperatorBean implements WaitingMessages {
  @Inject RelayBean relay;

  @Override
  public WaitingPlan plan(String destination) {
    return waiting().plan(destination, caller());
  }

  @Override
  public long discard(WaitingPlan plan, String reason) {
    return done(actions().discardWaiting(plan.token().id(), caller(), reason));
  }

  @Override
  public boolean cancel(UUID id, String reason) {
    return cancel(Optional.empty(), id, reason);
  }

  @Override
  public PlanToken planCancel(UUID id) {
    return waiting().planCancel(id, caller());
  }

  @Override
  public boolean cancel(UUID plan, UUID id, String reason) {
    return cancel(Optional.of(plan), id, reason);
  }

  private boolean cancel(Optional<UUID> plan, UUID id, String reason) {
    Optional<Lane> cancelled = waiting().cancel(plan, id, caller(), reason);
    relay.wake(cancelled.stream().collect(Collectors.toSet()), Optional.empty());
    return cancelled.isPresent(); // messages behind it may be due now
  }

  @Override
  public void redirect(UUID plan, String destination, String target, String reason) {
    stored().redirect(plan, destination, target, caller(), reason);
  }

  @Override
  public boolean endRedirect(String destination, String reason) {
    return stored().end(destination, caller(), reason);
  }

  @Override
  public List<Redirect> redirects() {
    return stored().all();
  }

  private WaitingActions waiting() {
    return new WaitingActions(database.tables());
  }

  private Redirects stored() {
    return new Redirects(database.tables());
  }
}
