package io.postbox.outbox.server;

import io.postbox.common.ErasurePlan;
import io.postbox.common.ErasureReport;
import io.postbox.common.ErasureTarget;
import io.postbox.common.OperatorAction;
import io.postbox.outbox.OutboxErasure;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.Optional;
import java.util.UUID;

/** Suspends the caller's transaction, and passes on the caller's principal. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class ErasureBean implements OutboxErasure {
  @Inject ActionRunnerBean runner;

  /** Looked up late, so that the extension can report that enterprise beans are not deployed. */
  @Inject Instance<CallerPrincipal> caller;

  @Override
  public ErasurePlan plan(ErasureTarget target) {
    return runner.actions().erasure().plan(target, caller.get().name());
  }

  @Override
  public OperatorAction erase(UUID plan, String reason) {
    return runner.actions().erasure().erase(plan, caller.get().name(), reason);
  }

  @Override
  public Optional<ErasureReport> report(UUID id) {
    return runner.actions().erasure().report(id);
  }
}
