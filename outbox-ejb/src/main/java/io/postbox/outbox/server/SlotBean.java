package io.postbox.outbox.server;

import io.postbox.common.time.MonotonicClock;
import io.postbox.outbox.ops.SlotMonitor;
import io.postbox.outbox.ops.SlotMonitor.Slot;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;

/** The connector's replication slot, where no node relays. */
@ApplicationScoped
class SlotBean {
  @Inject OutboxDatabase database;

  private Optional<SlotMonitor> monitor = Optional.empty();

  @PostConstruct
  void wire() {
    monitor =
        database
            .slot()
            .map(slot -> new SlotMonitor(database.dataSource(), slot, MonotonicClock.started()));
  }

  /** Looks at it, if there is one and that is due. Called by one thread at a time. */
  void lookIfDue() {
    monitor.ifPresent(SlotMonitor::lookIfDue);
  }

  /** As it was last seen. */
  Slot last() {
    return monitor.map(SlotMonitor::last).orElse(Slot.UNKNOWN);
  }
}
