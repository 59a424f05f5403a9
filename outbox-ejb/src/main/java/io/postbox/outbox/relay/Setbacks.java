package io.postbox.outbox.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Partitions in which a pass broke down, for instance because the database refuses to delete what
 * was sent. Each is left alone for a while, twice as long as before, because every pass may send
 * its batch again. Thread-safe.
 */
final class Setbacks {
  private static final Duration FIRST_WAIT = Duration.ofMillis(500);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  private final Map<Integer, Setback> byPartition = new HashMap<>();

  private record Setback(int failures, Instant until) {}

  /** Whether to leave the partition alone. */
  synchronized boolean suspends(int partition, Instant now) {
    Setback setback = byPartition.get(partition);
    return setback != null && now.isBefore(setback.until());
  }

  /** A pass broke down; the answer is until when to leave the partition alone. */
  synchronized Instant brokeDown(int partition, Instant now) {
    Setback before = byPartition.get(partition);
    int failures = before == null ? 1 : before.failures() + 1;
    Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(failures - 1, 10));
    Instant until = now.plus(wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT);
    byPartition.put(partition, new Setback(failures, until));
    return until;
  }

  synchronized void wentWell(int partition) {
    byPartition.remove(partition);
  }
}
