package io.postbox.outbox.server;

import io.postbox.outbox.ops.SlotMonitor.Slot;
import io.postbox.outbox.ops.Snapshot;

/** The values of this node's gauges. Every scrape reads them, so none may do I/O. */
interface NodeGauges {

  /** The result of the last count of the table. */
  Snapshot last();

  /** Whether messages to a destination wait because it fails. */
  boolean isBreakerOpen(String destination);

  /** How many partitions are stuck. */
  int stuckPartitions();

  /** Whether the backlog is above a warning limit. */
  boolean isBacklogHigh();

  /** Whether enqueue refuses messages. */
  boolean isBacklogFull();

  /** How often enqueue has refused messages because of the backlog. */
  long refusals();

  /** How many events were dropped because an observer was too slow. */
  long eventsDropped();

  /** The connector's replication slot as it was last seen. */
  Slot slot();

  /** How many findings the guarantee check has. */
  int findings();
}
