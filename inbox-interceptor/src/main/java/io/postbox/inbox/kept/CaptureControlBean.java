package io.postbox.inbox.kept;

import io.postbox.inbox.CaptureControl;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.ops.CaptureSwitches;
import io.postbox.inbox.receiver.WakeUp;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;

/** Suspends the caller's transaction, and passes on the caller's principal. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class CaptureControlBean implements CaptureControl {
  @Inject InboxDatabase database;
  @Inject InboxDeployment deployment;
  @Inject WakeUp workers;
  @Inject CallerPrincipal caller;

  @Override
  public boolean pause(String consumer, String reason) {
    if (deployment.consumers().contains(consumer) && deployment.handlers().of(consumer).isEmpty()) {
      throw new IllegalArgumentException(
          "The consumer '%s' does not capture its messages, so their handling cannot be paused. Nothing was changed. Pause its listener in the server instead."
              .formatted(consumer));
    }
    return switches().pause(consumer, caller.name(), reason);
  }

  @Override
  public boolean resume(String consumer, String reason) {
    boolean changed = switches().resume(consumer, caller.name(), reason);
    workers.captured(consumer);
    return changed;
  }

  @Override
  public List<Paused> paused() {
    return switches().paused();
  }

  private CaptureSwitches switches() {
    if (database.stores().isEmpty()) {
      throw new InboxException(
          "Nothing can be paused or resumed, because the inbox is not ready: " + database.problem(),
          null);
    }
    return new CaptureSwitches(
        database.dialect().orElseThrow(),
        database.config(),
        database.dataSource(),
        deployment.deployedConsumers());
  }
}
