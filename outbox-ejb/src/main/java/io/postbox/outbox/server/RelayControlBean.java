package io.postbox.outbox.server;

import io.postbox.common.time.MonotonicClock;
import io.postbox.outbox.RelayControl;
import io.postbox.outbox.ops.Switches;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.util.List;

/** Suspends the caller's transaction, and says who calls. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class RelayControlBean implements RelayControl {
  @Inject OutboxExtension extension;

  /** Looked up late: where no enterprise bean is deployed, the extension says so. */
  @Inject Instance<CallerPrincipal> caller;

  @Override
  public boolean pause(String destination, String reason) {
    return switches().pause(destination, caller.get().name(), reason);
  }

  @Override
  public boolean resume(String destination, String reason) {
    return switches().resume(destination, caller.get().name(), reason);
  }

  @Override
  public boolean pauseAll(String reason) {
    return switches().pauseAll(caller.get().name(), reason);
  }

  @Override
  public boolean resumeAll(String reason) {
    return switches().resumeAll(caller.get().name(), reason);
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
    Installation installation = extension.installation();
    return new Switches(
        installation.dialect(),
        installation.config(),
        installation.dataSource(),
        MonotonicClock.started(),
        time -> Thread.sleep(time.toMillis()));
  }
}
