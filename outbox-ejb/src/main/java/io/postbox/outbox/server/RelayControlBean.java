package io.postbox.outbox.server;

import io.postbox.common.time.MonotonicClock;
import io.postbox.outbox.RelayControl;
import io.postbox.outbox.ops.Switches;
import io.postbox.outbox.server.OutboxDatabase.Part;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.util.List;

/** Suspends the caller's transaction, and passes on the caller's principal. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class RelayControlBean implements RelayControl {
  @Inject OutboxDatabase database;

  /** Looked up late, so that the extension can report that enterprise beans are not deployed. */
  @Inject Instance<CallerPrincipal> caller;

  private Part<Switches> switches;

  @PostConstruct
  void wire() {
    switches =
        database.whenReady(
            dialect ->
                new Switches(
                    dialect,
                    database.config(),
                    database.dataSource(),
                    MonotonicClock.started(),
                    time -> Thread.sleep(time.toMillis())));
  }

  @Override
  public boolean pause(String destination, String reason) {
    return switches.get().pause(destination, caller.get().name(), reason);
  }

  @Override
  public boolean resume(String destination, String reason) {
    return switches.get().resume(destination, caller.get().name(), reason);
  }

  @Override
  public boolean pauseAll(String reason) {
    return switches.get().pauseAll(caller.get().name(), reason);
  }

  @Override
  public boolean resumeAll(String reason) {
    return switches.get().resumeAll(caller.get().name(), reason);
  }

  @Override
  public List<Paused> paused() {
    return switches.get().paused();
  }

  @Override
  public boolean awaitEmpty(Duration limit) {
    return switches.get().awaitEmpty(limit);
  }

  @Override
  public boolean awaitEmpty(String destination, Duration limit) {
    return switches.get().awaitEmpty(destination, limit);
  }
}
