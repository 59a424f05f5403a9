package io.postbox.outbox.server;

import io.postbox.outbox.ops.Snapshot;

/** The values of this node's gauges. Every scrape reads them, so none may do I/O. */
interface NodeGauges {

  /** The result of the last count of the table. */
  Snapshot last();

  /** Whether messages to a destination wait because it fails. */
  boolean isBreakerOpen(String destination);

  /** How many partitions are stuck. */
  int stuckPartitions();

  /** Whether more waits than the limits that warn. */
  boolean isBacklogHigh();

  /** Whether enqueue refuses. */
  boolean isBacklogFull();

  /** How often enqueue has refused because of that. */
  long refusals();

  /** How many events were dropped because an observer was too slow. */
  long eventsDropped();

  /** How many findings the guarantee check has. */
  int findings();
}
