package io.postbox.inbox.ops;

import io.postbox.common.store.NodeTable;
import io.postbox.inbox.message.Heartbeat;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The processes of the service that ended without an orderly stop, as far as one process can tell
 * from their heartbeats. A frozen or disconnected process looks the same until it runs again. Not
 * thread-safe; times are of one monotonic clock.
 */
final class UncleanShutdowns {
  /** How often a heartbeat is due. */
  static final Duration BEAT = NodeTable.BEAT;

  /**
   * After this long without a heartbeat a process counts as dead. A mistake costs only some
   * statements, so this is shorter than the lease of an attempt, where a mistake counts as a crash.
   */
  static final Duration OVERDUE = BEAT.multipliedBy(2);

  /**
   * How long after an unclean shutdown was noticed the process's messages are expected to be
   * redelivered. A broker delivers them first, at once or after it has recovered its transactions;
   * a resent copy is marked as a redelivery anyway.
   */
  static final Duration WARY = Duration.ofMinutes(10);

  private final Map<String, Long> noticed = new HashMap<>();
  private @Nullable Long lookedAt;
  private @Nullable Long sightedSince;

  /**
   * Checks the heartbeats of all others. A process that has not reached the database for a while
   * cannot know which others could not reach it either, and gives them time to renew theirs. At its
   * start it gives them no time: the first delivery may be a dead process's message.
   *
   * @return the processes that were noticed just now
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

  /** Whether an unclean shutdown was noticed within the last {@link #WARY}. */
  boolean areRecent(long now) {
    return noticed.values().stream().anyMatch(at -> now - at < WARY.toNanos());
  }
}
