package io.postbox.outbox.server;

import io.postbox.common.time.MonotonicClock;
import io.postbox.outbox.ops.Housekeeping;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.jspecify.annotations.Nullable;

/** This node's housekeeping; called by the timer once the tables are in order. */
@ApplicationScoped
class HousekeepingBean {
  @Inject OutboxExtension extension;
  private @Nullable Housekeeping housekeeping;

  /** Does some of what is to be done now and then, unless it is too early. */
  synchronized void tick() {
    Housekeeping keeping = housekeeping;
    if (keeping == null) {
      Installation installation = extension.installation();
      keeping =
          new Housekeeping(
              installation.dialect(),
              installation.config(),
              installation.dataSource(),
              MonotonicClock.started());
      housekeeping = keeping;
    }
    keeping.tick();
  }
}
