package io.postbox.outbox.server;

import io.postbox.common.ErasurePlan;
import io.postbox.common.ErasureReport;
import io.postbox.common.ErasureTarget;
import io.postbox.common.OperatorAction;
import io.postbox.common.RedrivePace;
import io.postbox.outbox.OutboxActions;
import io.postbox.outbox.OutboxErasure;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

@ApplicationScoped
class ActionsBean extends OperatorBean implements OutboxActions, OutboxErasure {
  @Override
  public OperatorAction redrive(UUID plan, RedrivePace pace, String reason) {
    return actions().redrive(plan, pace, caller(), reason);
  }

  @Override
  public OperatorAction discard(UUID plan, String reason) {
    return actions().discard(plan, caller(), reason);
  }

  @Override
  public OperatorAction discardWaiting(UUID plan, String reason) {
    return actions().discardWaiting(plan, caller(), reason);
  }

  @Override
  public List<OperatorAction> list(int size) {
    return actions().control().list(size);
  }

  @Override
  public List<OperatorAction> list(UUID after, int size) {
    return actions().control().list(after, size);
  }

  @Override
  public Optional<OperatorAction> get(UUID id) {
    return actions().control().get(id);
  }

  @Override
  public boolean pause(UUID id, String reason) {
    return actions().control().pause(id, caller(), reason);
  }

  @Override
  public boolean resume(UUID id, String reason) {
    return actions().control().resume(id, caller(), reason);
  }

  @Override
  public boolean cancel(UUID id, String reason) {
    return actions().control().cancel(id, caller(), reason);
  }

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
