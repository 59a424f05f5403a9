package io.postbox.outbox.server;

import io.postbox.outbox.ops.SlotMonitor.Slot;
import io.postbox.outbox.ops.Snapshot;
import jakarta.enterprise.context.Dependent;
import jakarta.inject.Inject;

/** The values of this node's gauges. Every scrape reads them, so none may do I/O. */
@Dependent
class NodeGauges {
  @Inject RelayBean relay;
  @Inject StatisticsBean watch;
  @Inject EventPublisher events;
  @Inject SlotBean slot;
  @Inject GuaranteeCheckBean guarantee;

  /** The result of the last count of the table. */
  Snapshot last() {
    return watch.last();
  }

  /** Whether messages to a destination wait because it fails. */
  boolean isBreakerOpen(String destination) {
    return relay.openCircuits().containsKey(destination);
  }

  /** How many partitions are stuck. */
  int stuckPartitions() {
    return relay.stuckPartitions().size();
  }

  /** Whether the backlog is above a warning limit. */
  boolean isBacklogHigh() {
    return watch.backlogWarning().isPresent();
  }

  /** Whether enqueue refuses messages. */
  boolean isBacklogFull() {
    return watch.refusal().isPresent();
  }

  /** How often enqueue has refused messages because of the backlog. */
  long refusals() {
    return watch.refusals();
  }

  /** How many events were dropped because an observer was too slow. */
  long eventsDropped() {
    return events.dropped();
  }

  /** The connector's replication slot as it was last seen. */
  Slot slot() {
    return slot.last();
  }

  /** How many findings the guarantee check has. */
  int findings() {
    return guarantee.findings().size();
  }
}
