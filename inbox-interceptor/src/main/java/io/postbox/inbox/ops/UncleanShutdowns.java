package io.postbox.inbox.ops;

import io.postbox.inbox.message.Heartbeat;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The processes of the service that have ended without an orderly stop, as one process sees it by
 * their heartbeats. One that is frozen or cut off looks the same, until it is back. Not
 * thread-safe; times are of one monotonic clock.
 */
final class UncleanShutdowns {
  /** Heartbeats are due that often. */
  static final Duration BEAT = Duration.ofSeconds(5);

  /**
   * After so long without a heartbeat a process is taken for dead. To be wrong costs only some
   * statements, so this is shorter than the lease of a try, which counts.
   */
  static final Duration OVERDUE = BEAT.multipliedBy(2);

  /**
   * For so long after it was noticed, what the process had in hand is expected back. A broker
   * delivers that first, at once or when its transactions are recovered; and the copy of a message
   * that is sent away says of itself that it came before.
   */
  static final Duration WARY = Duration.ofMinutes(10);

  private final Map<String, Long> noticed = new HashMap<>();
  private @Nullable Long lookedAt;
  private @Nullable Long sightedSince;

  /**
   * Checks the heartbeats of all others. A process that has not reached the database for a while
   * cannot know which others could not reach it either, and gives them time to renew theirs. At the
   * start no process is given time: the first delivery may be one of a dead process.
   *
   * @return who has been noticed just now
   */
  Set<String> look(Collection<Heartbeat> others, long now) {
    if (lookedAt != null && now - lookedAt >= OVERDUE.toNanos()) {
      sightedSince = now;
    }
    lookedAt = now;
    Set<String> dead = new HashSet<>();
    for (Heartbeat other : others) {
      if (other.isOverdue(OVERDUE)) {
        dead.add(other.node());
      }
    }
    noticed.keySet().retainAll(dead);
    dead.removeAll(noticed.keySet());
    if (sightedSince != null && now - sightedSince < OVERDUE.toNanos()) {
      return Set.of();
    }
    dead.forEach(node -> noticed.put(node, now));
    return dead;
  }

  /** Whether one was noticed within the last {@link #WARY}. */
  boolean areRecent(long now) {
    return noticed.values().stream().anyMatch(at -> now - at < WARY.toNanos());
  }
}
