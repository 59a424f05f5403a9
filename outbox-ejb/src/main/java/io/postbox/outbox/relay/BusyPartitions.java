package io.postbox.outbox.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The partitions that another node had claimed a moment ago. Each commit here would try such a
 * partition in vain, and with many nodes most tries would fail: so they are skipped until the next
 * poll, which finds their messages. Thread-safe.
 */
final class BusyPartitions {
  private static final Duration MOMENT = AdaptivePolling.SHORTEST;

  private final Map<Integer, Instant> mutedUntil = new ConcurrentHashMap<>();

  /** Whether a partition is to be left alone. */
  boolean isMuted(int partition, Instant now) {
    Instant until = mutedUntil.get(partition);
    return until != null && now.isBefore(until);
  }

  /** A partition was busy; the answer is when to try again. */
  Instant mute(int partition, Instant now) {
    Instant until = now.plus(MOMENT);
    mutedUntil.put(partition, until);
    return until;
  }
}
