package io.postbox.inbox.ops;

import io.postbox.common.store.NodeTable;
import io.postbox.inbox.message.Heartbeat;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The processes of the service that ended without an orderly stop, as far as one process can tell
 * from their heartbeats. A frozen or disconnected process looks the same until it runs again. One
 * such end is no sign of a message that kills: machines fail, and people end processes. A second
 * one soon after may be. Not thread-safe; times are of one monotonic clock.
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
   * How long a process may have run since another one died, for its own end to be soon after that:
   * longer than a handler takes until it kills its process.
   */
  static final Duration SOON = Duration.ofHours(1);

  /**
   * How long after the second unclean shutdown was noticed the process's messages are expected to
   * be redelivered. A broker delivers them first, at once or after it has recovered its
   * transactions; a resent copy is marked as a redelivery anyway.
   */
  static final Duration WARY = Duration.ofMinutes(10);

  private final Map<String, Long> noticed = new HashMap<>();
  private @Nullable Long lookedAt;
  private @Nullable Long sightedSince;
  private @Nullable Long waryUntil;
  private long lastDeath;

  /** A process that died. */
  private record Death(String node, long at, long born, long noticed) {
    /** Whether it followed another one soon, in the time that the process ran. */
    boolean isSoonAfter(Death other) {
      long since = born - other.at > 0 ? born : other.at;
      return at - since <= SOON.toNanos();
    }

    /**
     * Whether another process started after it and lived through its own time of caution: it had
     * the messages, and none killed it. One that ran before may not have that consumer.
     */
    boolean isOver(Heartbeat other, long now) {
      long started = now - other.silentFor().abs().toNanos() - other.lived().toNanos();
      return started - at >= 0 && other.lived().compareTo(WARY.plus(OVERDUE)) >= 0;
    }
  }

  /**
   * Checks the heartbeats of all others. A process that has not reached the database for a while
   * cannot know which others could not reach it either, and gives them time to renew theirs. At its
   * start it gives them no time: the first delivery may be a dead process's message.
   *
   * @return the processes that died soon after each other, if that was noticed just now
   */
  Set<String> look(Collection<Heartbeat> others, long now) {
    if (lookedAt != null && now - lookedAt >= OVERDUE.toNanos()) {
      sightedSince = now;
    }
    lookedAt = now;
    List<Heartbeat> dead = others.stream().filter(other -> other.isOverdue(OVERDUE)).toList();
    noticed.keySet().retainAll(dead.stream().map(Heartbeat::node).toList());
    if (sightedSince == null || now - sightedSince >= OVERDUE.toNanos()) {
      dead.forEach(one -> noticed.putIfAbsent(one.node(), now));
    }
    return suspects(dead, others, now);
  }

  private Set<String> suspects(List<Heartbeat> dead, Collection<Heartbeat> others, long now) {
    List<Death> deaths =
        dead.stream()
            .filter(one -> noticed.containsKey(one.node()))
            .map(one -> death(one, now))
            .sorted(Comparator.comparingLong(one -> one.at() - now))
            .toList();
    Set<String> news = new TreeSet<>();
    waryUntil = null;
    for (int i = 1; i < deaths.size(); i++) {
      Death one = deaths.get(i - 1);
      Death next = deaths.get(i);
      if (next.isSoonAfter(one) && others.stream().noneMatch(it -> next.isOver(it, now))) {
        lastDeath = next.at(); // they come in their order
        long since = now + Math.max(one.noticed() - now, next.noticed() - now);
        long until = since + WARY.toNanos();
        if (waryUntil == null || until - waryUntil > 0) {
          waryUntil = until;
        }
        if (since == now) {
          news.add(one.node());
          news.add(next.node());
        }
      }
    }
    return news;
  }

  private Death death(Heartbeat last, long now) {
    long at = now - last.silentFor().abs().toNanos();
    return new Death(
        last.node(),
        at,
        at - last.lived().toNanos(),
        Objects.requireNonNull(noticed.get(last.node())));
  }

  /**
   * Whether two unclean shutdowns soon after each other were noticed within the last {@link #WARY}.
   */
  boolean areSuspicious(long now) {
    return waryUntil != null && waryUntil - now > 0;
  }

  /** How long ago the last of these processes was heard of, if they are suspicious. */
  Optional<Duration> sinceLastDeath(long now) {
    return areSuspicious(now) ? Optional.of(Duration.ofNanos(now - lastDeath)) : Optional.empty();
  }
}
