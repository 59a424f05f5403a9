package io.postbox.outbox;

import java.time.Duration;
import java.util.List;

/**
 * What waits in the outbox and what was given up. Injectable, thread-safe; needs no transaction and
 * starts none. Each call is one query on the outbox's data source.
 */
public interface OutboxStatistics {

  /**
   * Counts the rows of each destination that has any, by name.
   *
   * @throws OutboxException if the tables cannot be read
   */
  List<DestinationStatistics> byDestination();

  /**
   * The rows of one destination.
   *
   * @param destination the logical name
   * @param pending messages that are still to be sent, those held back for order included
   * @param dead messages that used up their attempts
   * @param oldestPending how long the oldest pending message has waited; zero if none waits
   */
  record DestinationStatistics(
      String destination, long pending, long dead, Duration oldestPending) {}
}
