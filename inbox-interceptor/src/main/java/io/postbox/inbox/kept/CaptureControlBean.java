package io.postbox.inbox.kept;

import io.postbox.common.Paused;
import io.postbox.inbox.CaptureControl;
import io.postbox.inbox.ops.CaptureSwitches;
import io.postbox.inbox.receiver.WakeUp;
import io.postbox.inbox.startup.InboxDeployment;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;

@ApplicationScoped
class CaptureControlBean extends OperatorBean implements CaptureControl {
  @Inject InboxDeployment deployment;
  @Inject WakeUp workers;

  @Override
  public boolean pause(String consumer, String reason) {
    if (deployment.consumers().contains(consumer) && deployment.handlers().of(consumer).isEmpty()) {
      throw new IllegalArgumentException(
          "The consumer '%s' does not capture its messages, so their handling cannot be paused. Nothing was changed. Pause its listener in the server instead."
              .formatted(consumer));
    }
    return switches().pause(consumer, caller(), reason);
  }

  @Override
  public boolean resume(String consumer, String reason) {
    boolean changed = switches().resume(consumer, caller(), reason);
    workers.captured(consumer);
    return changed;
  }

  @Override
  public List<Paused> paused() {
    return switches().paused();
  }

  private CaptureSwitches switches() {
    return new CaptureSwitches(
        database.ready("Nothing can be paused or resumed"),
        database.config(),
        database.dataSource(),
        deployment.deployedConsumers());
  }
}
