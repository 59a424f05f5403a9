package io.postbox.outbox;

import java.time.Duration;
import java.util.List;

/**
 * What waits in the outbox and what was given up. Injectable, thread-safe; needs no transaction.
 * The caller's one is suspended meanwhile, so what it has enqueued is not counted yet. Each call is
 * one query on the outbox's data source, whose cost grows with the number of waiting messages until
 * about a million of them wait; beyond that PostgreSQL estimates. The metrics show the same
 * numbers, which one node counts for all, and cost nothing to read.
 */
public interface OutboxStatistics {

  /**
   * Counts the messages of each destination that has any, by name. Messages that were sent are not
   * counted, whether or not they are kept.
   *
   * @throws OutboxException if the tables cannot be read
   */
  List<DestinationStatistics> byDestination();

  /**
   * The messages of one destination.
   *
   * @param destination the logical name
   * @param pending messages that could go if nothing were in their way: those held back and those
   *     that are to be tried again included, those that are to go later not
   * @param held how many of the pending ones wait behind a message of their ordering key that is in
   *     trouble
   * @param delayed messages whose time, as given by {@code notBefore}, has not come
   * @param dead messages that used up their attempts
   * @param oldestPending how long the oldest pending message has waited since it could go; zero if
   *     none waits
   * @param estimated whether one of the numbers is an estimate, because more messages are there
   *     than are counted; the age is none
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
     * Both together.
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
