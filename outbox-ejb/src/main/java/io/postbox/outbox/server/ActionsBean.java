package io.postbox.outbox.server;

import io.postbox.common.OperatorAction;
import io.postbox.outbox.OutboxActions;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Suspends the caller's transaction, and passes on the caller's principal. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class ActionsBean implements OutboxActions {
  @Inject ActionRunnerBean runner;

  /** Looked up late, so that the extension can report that enterprise beans are not deployed. */
  @Inject Instance<CallerPrincipal> caller;

  @Override
  public OperatorAction redrive(UUID plan, int perSecond, String reason) {
    return runner.actions().redrive(plan, perSecond, Optional.empty(), name(), reason);
  }

  @Override
  public OperatorAction redriveFirst(UUID plan, int perSecond, int first, String reason) {
    return runner.actions().redrive(plan, perSecond, Optional.of(first), name(), reason);
  }

  @Override
  public OperatorAction discard(UUID plan, String reason) {
    return runner.actions().discard(plan, name(), reason);
  }

  @Override
  public OperatorAction discardWaiting(UUID plan, String reason) {
    return runner.actions().discardWaiting(plan, name(), reason);
  }

  @Override
  public List<OperatorAction> list(int size) {
    return runner.actions().control().list(size);
  }

  @Override
  public List<OperatorAction> list(UUID after, int size) {
    return runner.actions().control().list(after, size);
  }

  @Override
  public Optional<OperatorAction> get(UUID id) {
    return runner.actions().control().get(id);
  }

  @Override
  public boolean pause(UUID id, String reason) {
    return runner.actions().control().pause(id, name(), reason);
  }

  @Override
  public boolean resume(UUID id, String reason) {
    return runner.actions().control().resume(id, name(), reason);
  }

  @Override
  public boolean cancel(UUID id, String reason) {
    return runner.actions().control().cancel(id, name(), reason);
  }

  private String name() {
    return caller.get().name();
  }
}
