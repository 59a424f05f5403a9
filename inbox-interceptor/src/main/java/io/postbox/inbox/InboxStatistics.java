package io.postbox.inbox;

import io.postbox.common.KeptNumbers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Counts the consumers' deliveries. Injectable, thread-safe; needs no transaction. Each call is one
 * query on the inbox's data source, outside of the caller's transaction: it sees committed rows
 * only.
 */
public interface InboxStatistics extends KeptNumbers {

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
   * @param handedBack messages in the table that go back to their queue, a listener's: a copy is on
   *     its way, or a retry is not due yet; from all nodes
   * @param buffered messages in the table that wait for their turn in the order of versions, from
   *     all nodes
   * @param versionGaps aggregates of which versions are missing for longer than {@code
   *     order.longest-gap} while later ones wait, up to 1,000, as this node last saw within seconds
   * @param captured captured messages in the table, from all nodes; empty if it has none and
   *     captures none in this deployment
   */
  record ConsumerStatistics(
      String consumer,
      long processed,
      long skipped,
      long quarantined,
      long parked,
      long handedBack,
      long buffered,
      long versionGaps,
      Optional<CapturedStatistics> captured) {

    /** The counts of a consumer that hands nothing back, and neither buffers nor captures. */
    public ConsumerStatistics(
        String consumer, long processed, long skipped, long quarantined, long parked) {
      this(consumer, processed, skipped, quarantined, parked, 0, 0, 0, Optional.empty());
    }
  }

  /**
   * The counts of a consumer's captured messages that are not handled yet.
   *
   * @param pending those that may be handled now, or are being handled
   * @param delayed those that may be handled later
   * @param held those behind another one with their ordering key
   * @param parked those that are parked
   * @param oldest how long ago the oldest of the first three was captured; zero if there is none
   */
  record CapturedStatistics(long pending, long delayed, long held, long parked, Duration oldest) {
    /** Those that the workers have still to handle. */
    public long backlog() {
      return pending + delayed + held;
    }
  }
}
