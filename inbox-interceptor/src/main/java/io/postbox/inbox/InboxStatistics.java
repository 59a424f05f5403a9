package io.postbox.inbox;

import java.util.List;
import java.util.Map;

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
   * How many attempts to handle a message have failed on this node since it started, charged ones
   * and others, by consumer. No statement is run. Each node counts by itself.
   */
  Map<String, Long> failuresOnThisNode();

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
