package io.postbox.outbox.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The partitions that another node had claimed a moment ago. Each commit on this node would try to
 * claim such a partition in vain, and with many nodes most attempts would fail. So the relay skips
 * these partitions until the next poll, which finds their messages. Thread-safe.
 */
final class BusyPartitions {
  private static final Duration MOMENT = AdaptivePolling.SHORTEST;

  private final Map<Integer, Instant> mutedUntil = new ConcurrentHashMap<>();

  /** Whether to skip a partition. */
  boolean isMuted(int partition, Instant now) {
    Instant until = mutedUntil.get(partition);
    return until != null && now.isBefore(until);
  }

  /** Notes that a partition was busy, and returns when to try again. */
  Instant mute(int partition, Instant now) {
    Instant until = now.plus(MOMENT);
    mutedUntil.put(partition, until);
    return until;
  }
}
