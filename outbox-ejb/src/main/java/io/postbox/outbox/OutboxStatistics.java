package io.postbox.outbox;

import io.postbox.common.KeptNumbers;
import java.time.Duration;
import java.util.List;

/**
 * Counts the messages in the outbox. Injectable, thread-safe; needs no transaction. The caller's
 * transaction is suspended meanwhile, so messages that it has enqueued are not counted yet. Each
 * call is one query on the outbox's data source, whose cost grows with the number of waiting
 * messages up to about a million; beyond that PostgreSQL estimates. The metrics show the same
 * numbers, which one node counts for all, and cost nothing to read.
 */
public interface OutboxStatistics extends KeptNumbers {

  /**
   * Counts the messages of each destination that has any, by name. Sent messages are never counted.
   *
   * @throws OutboxException if the tables cannot be read
   */
  List<DestinationStatistics> byDestination();

  /**
   * Counts what this node has sent, and what has failed here, since it started; by destination, in
   * order. No statement is run. Each node counts by itself, without the messages that another one
   * sends. At most 1,000 destinations are told apart; all others are {@code other}.
   */
  List<DestinationThroughput> onThisNode();

  /**
   * The counts of one node for a destination since it started.
   *
   * @param destination the logical name
   * @param sent messages that were sent, repeats among them
   * @param failed attempts that failed and were charged
   */
  record DestinationThroughput(String destination, long sent, long failed) {}

  /**
   * The messages of one destination.
   *
   * @param destination the logical name
   * @param pending messages that are due, including held ones and those that wait for a retry,
   *     excluding delayed ones
   * @param held how many of the pending ones wait behind a failed message of their ordering key
   * @param delayed messages whose {@code notBefore} is not over
   * @param dead messages that used up their attempts
   * @param oldestPending how long the oldest pending message has waited since it was due; zero if
   *     none waits
   * @param estimated whether one of the numbers is an estimate, because there are more messages
   *     than are counted; the age is never an estimate
   */
  record DestinationStatistics(
      String destination,
      long pending,
      long held,
      long delayed,
      long dead,
      Duration oldestPending,
      boolean estimated) {

    /** A destination without any message. */
    public static DestinationStatistics none(String destination) {
      return new DestinationStatistics(destination, 0, 0, 0, 0, Duration.ZERO, false);
    }

    /**
     * Adds the numbers of another line.
     *
     * @param other of the same destination
     */
    public DestinationStatistics plus(DestinationStatistics other) {
      return new DestinationStatistics(
          destination,
          pending + other.pending,
          held + other.held,
          delayed + other.delayed,
          dead + other.dead,
          oldestPending.compareTo(other.oldestPending) >= 0 ? oldestPending : other.oldestPending,
          estimated || other.estimated);
    }
  }
}
