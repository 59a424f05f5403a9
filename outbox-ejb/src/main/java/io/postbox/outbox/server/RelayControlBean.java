package io.postbox.outbox.server;

import io.postbox.common.Paused;
import io.postbox.common.time.MonotonicClock;
import io.postbox.outbox.RelayControl;
import io.postbox.outbox.ops.Switches;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;

@ApplicationScoped
class RelayControlBean extends OperatorBean implements RelayControl {
  @Override
  public boolean pause(String destination, String reason) {
    return switches().pause(destination, caller(), reason);
  }

  @Override
  public boolean resume(String destination, String reason) {
    return switches().resume(destination, caller(), reason);
  }

  @Override
  public boolean pauseAll(String reason) {
    return switches().pauseAll(caller(), reason);
  }

  @Override
  public boolean resumeAll(String reason) {
    return switches().resumeAll(caller(), reason);
  }

  @Override
  public List<Paused> paused() {
    return switches().paused();
  }

  @Override
  public boolean awaitEmpty(Duration limit) {
    return switches().awaitEmpty(limit);
  }

  @Override
  public boolean awaitEmpty(String destination, Duration limit) {
    return switches().awaitEmpty(destination, limit);
  }

  private Switches switches() {
    return new Switches(
        database.tables(), MonotonicClock.started(), time -> Thread.sleep(time.toMillis()));
  }
}
