package io.postbox.outbox.server;

import io.postbox.outbox.ops.SlotMonitor.Slot;
import io.postbox.outbox.ops.Snapshot;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;

/** Reads the values of this node's gauges. */
@Dependent
class NodeGaugesBean implements NodeGauges {
  @Inject RelayBean relay;
  @Inject StatisticsBean watch;
  @Inject EventPublisher events;
  @Inject SlotBean slot;
  @Inject GuaranteeCheckBean guarantee;

  @Override
  public Snapshot last() {
    return watch.last();
  }

  @Override
  public boolean isBreakerOpen(String destination) {
    return relay.openCircuits().containsKey(destination);
  }

  @Override
  public int stuckPartitions() {
    return relay.stuckPartitions().size();
  }

  @Override
  public boolean isBacklogHigh() {
    return watch.backlogWarning().isPresent();
  }

  @Override
  public boolean isBacklogFull() {
    return watch.refusal().isPresent();
  }

  @Override
  public long refusals() {
    return watch.refusals();
  }

  @Override
  public long eventsDropped() {
    return events.dropped();
  }

  @Override
  public Slot slot() {
    return slot.last();
  }

  @Override
  public int findings() {
    return guarantee.findings().size();
  }
}
