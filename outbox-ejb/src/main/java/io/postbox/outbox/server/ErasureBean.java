package io.postbox.outbox.server;

import io.postbox.common.ErasurePlan;
import io.postbox.common.ErasureReport;
import io.postbox.common.ErasureTarget;
import io.postbox.common.OperatorAction;
import io.postbox.outbox.OutboxErasure;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.UUID;

@ApplicationScoped
class ErasureBean extends OperatorBean implements OutboxErasure {
  @Override
  public ErasurePlan plan(ErasureTarget target) {
    return actions().erasure().plan(target, caller());
  }

  @Override
  public OperatorAction erase(UUID plan, String reason) {
    return actions().erasure().erase(plan, caller(), reason);
  }

  @Override
  public Optional<ErasureReport> report(UUID id) {
    return actions().erasure().report(id);
  }
}
