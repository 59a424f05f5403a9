package io.postbox.inbox.kept;

import io.postbox.common.OperatorAction;
import io.postbox.inbox.InboxActions;
import io.postbox.inbox.RedrivePace;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.ops.BackgroundActions;
import io.postbox.inbox.startup.ApplicationContextBean;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Suspends the caller's transaction, and passes on the caller's principal. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class ActionsBean implements InboxActions {
  @Inject ActionRunnerBean runner;
  @Inject CallerPrincipal caller;
  @Inject ApplicationContextBean context;

  private BackgroundActions actions() {
    context.get().enteredByComponent();
    return runner.actions();
  }

  @Override
  public OperatorAction redrive(UUID plan, String reason) {
    return redrive(plan, ReplyOnRedrive.KEEP, reason);
  }

  @Override
  public OperatorAction redrive(UUID plan, ReplyOnRedrive replies, String reason) {
    return redrive(plan, replies, RedrivePace.FASTEST, reason);
  }

  @Override
  public OperatorAction redrive(
      UUID plan, ReplyOnRedrive replies, RedrivePace pace, String reason) {
    return actions().redrive(plan, replies, pace, caller.name(), reason);
  }

  @Override
  public OperatorAction discard(UUID plan, String reason) {
    return actions().discard(plan, caller.name(), reason);
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
    return actions().control().pause(id, caller.name(), reason);
  }

  @Override
  public boolean resume(UUID id, String reason) {
    return actions().control().resume(id, caller.name(), reason);
  }

  @Override
  public boolean cancel(UUID id, String reason) {
    return actions().control().cancel(id, caller.name(), reason);
  }
}
