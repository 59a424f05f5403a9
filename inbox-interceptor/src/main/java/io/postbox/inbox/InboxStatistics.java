package io.postbox.inbox;

import java.util.List;

/**
 * Counts the consumers' deliveries. Injectable, thread-safe; needs no transaction. Each call is one
 * query on the inbox's data source, outside of the caller's transaction: it sees committed rows
 * only.
 */
public interface InboxStatistics {

  /**
   * The counts of each consumer that has any, by name.
   *
   * @throws InboxException if the tables cannot be read
   */
  List<ConsumerStatistics> byConsumer();

  /**
   * The counts of one consumer.
   *
   * @param consumer its name
   * @param processed deliveries that were handled and committed on this node since it started
   * @param skipped deliveries that were skipped as duplicates on this node since it started
   * @param quarantined quarantined deliveries in the table, from all nodes
   * @param parked parked messages in the table, from all nodes
   */
  record ConsumerStatistics(
      String consumer, long processed, long skipped, long quarantined, long parked) {}
}
