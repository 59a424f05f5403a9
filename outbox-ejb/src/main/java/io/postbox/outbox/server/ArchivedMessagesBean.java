package io.postbox.outbox.server;

import io.postbox.common.PlanToken;
import io.postbox.outbox.ArchivedMessages;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.ops.Resend;
import io.postbox.outbox.server.OutboxDatabase.Part;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Suspends the caller's transaction, passes on the caller's principal, and wakes the relay. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class ArchivedMessagesBean implements ArchivedMessages {
  @Inject OutboxDatabase database;
  @Inject RelayBean relay;

  /** Looked up late, so that the extension can report that enterprise beans are not deployed. */
  @Inject Instance<CallerPrincipal> caller;

  private Part<Resend> resend;

  @PostConstruct
  void wire() {
    resend =
        database.whenReady(
            dialect -> new Resend(dialect, database.config(), database.dataSource()));
  }

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
    return resend.get().plan(id, newId, caller.get().name());
  }

  @Override
  public boolean resend(UUID plan, UUID id, UUID newId, String reason) {
    return resend(Optional.of(plan), id, newId, reason);
  }

  private boolean resend(Optional<UUID> plan, UUID id, UUID newId, String reason) {
    Optional<Lane> lane = resend.get().resend(plan, id, newId, caller.get().name(), reason);
    lane.ifPresent(it -> relay.wake(Set.of(it), Optional.empty()));
    return lane.isPresent();
  }
}
