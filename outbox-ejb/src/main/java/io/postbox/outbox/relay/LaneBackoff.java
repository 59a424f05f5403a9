package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Lanes on which a pass broke down, for instance because the database refuses to delete what was
 * sent. Each is left alone for a while, twice as long as before, because every pass may send its
 * batch again; the other lanes of its partition go on. Thread-safe.
 */
final class LaneBackoff {
  private static final Duration FIRST_WAIT = Duration.ofMillis(500);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  private final Map<Lane, Failures> byLane = new HashMap<>();

  private record Failures(int failures, Instant until) {}

  /** Whether to leave the lane alone. */
  synchronized boolean isBackingOff(Lane lane, Instant now) {
    Failures setback = byLane.get(lane);
    return setback != null && now.isBefore(setback.until());
  }

  /** A pass broke down; the answer is until when to leave the lane alone. */
  synchronized Instant failed(Lane lane, Instant now) {
    Failures before = byLane.get(lane);
    int failures = before == null ? 1 : before.failures() + 1;
    Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(failures - 1, 10));
    Instant until = now.plus(wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT);
    byLane.put(lane, new Failures(failures, until));
    return until;
  }

  /** A pass had the claim, and came to its end. */
  synchronized void succeeded(Lane lane) {
    byLane.remove(lane);
  }

  /** Only these lanes have work; of the others there is nothing to be left alone. */
  synchronized void withWork(Collection<Lane> lanes) {
    byLane.keySet().retainAll(lanes);
  }
}
