package io.postbox.outbox.server;

import io.postbox.common.PlanToken;
import io.postbox.outbox.ArchivedMessages;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.ops.Resend;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

@ApplicationScoped
class ArchivedMessagesBean extends OperatorBean implements ArchivedMessages {
  @Inject RelayBean relay;

  @Override
  public boolean resend(UUID id, String reason) {
    return resendAs(id, id, reason);
  }

  @Override
  public boolean resendAs(UUID id, UUID newId, String reason) {
    return resend(Optional.empty(), id, newId, reason);
  }

  @Override
  public PlanToken plan(UUID id, UUID newId) {
    return resends().plan(id, newId, caller());
  }

  @Override
  public boolean resend(UUID plan, UUID id, UUID newId, String reason) {
    return resend(Optional.of(plan), id, newId, reason);
  }

  private boolean resend(Optional<UUID> plan, UUID id, UUID newId, String reason) {
    Optional<Lane> lane = resends().resend(plan, id, newId, caller(), reason);
    lane.ifPresent(it -> relay.wake(Set.of(it), Optional.empty()));
    return lane.isPresent();
  }

  private Resend resends() {
    return new Resend(database.tables());
  }
}
