package io.postbox.outbox.server;

import io.postbox.outbox.ops.Snapshot;

/** What the gauges show; each is asked whenever somebody scrapes, so none may do anything. */
interface NodeGauges {

  /** What the last count of the table found. */
  Snapshot last();

  /** Whether messages to a destination wait because it fails. */
  boolean isBreakerOpen(String destination);

  /** How many partitions have work that nobody does. */
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
