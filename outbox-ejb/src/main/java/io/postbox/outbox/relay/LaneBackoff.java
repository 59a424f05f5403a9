package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The backoff of lanes on which a pass failed, for instance because the database refuses to delete
 * sent messages. Each wait is twice as long as the one before, because every pass may send its
 * batch again. Other lanes of the partition are not affected. Thread-safe.
 */
final class LaneBackoff {
  private static final Duration FIRST_WAIT = Duration.ofMillis(500);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  private final Map<Lane, Failures> byLane = new HashMap<>();

  private record Failures(int failures, Instant until) {}

  /** Whether the lane has to wait. */
  synchronized boolean isBackingOff(Lane lane, Instant now) {
    Failures setback = byLane.get(lane);
    return setback != null && now.isBefore(setback.until());
  }

  /** Notes that a pass failed, and returns the moment until which the lane waits. */
  synchronized Instant failed(Lane lane, Instant now) {
    Failures before = byLane.get(lane);
    int failures = before == null ? 1 : before.failures() + 1;
    Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(failures - 1, 10));
    Instant until = now.plus(wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT);
    byLane.put(lane, new Failures(failures, until));
    return until;
  }

  /** Notes that a pass had the claim and ended normally. */
  synchronized void succeeded(Lane lane) {
    byLane.remove(lane);
  }

  /** Forgets all lanes but these, which have work. */
  synchronized void withWork(Set<Lane> lanes) {
    byLane.keySet().retainAll(lanes);
  }
}
