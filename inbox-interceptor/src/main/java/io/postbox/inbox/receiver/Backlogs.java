package io.postbox.inbox.receiver;

import io.postbox.inbox.config.InboxConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * How many captured messages of each consumer wait to be handled, and whether that is as many as
 * may wait. One node counts them every few seconds for all nodes; to that each node adds what it
 * has captured since the count began, less what it has handled. Thread-safe.
 */
public final class Backlogs {
  /** A full backlog counts as full until a tenth of the limit is free. */
  private static final int TENTHS = 10;

  private static final int FREE_AGAIN = 9;

  /** How many marks are kept: with five a second, those of two minutes. */
  private static final int MARKS = 600;

  private final InboxConfig config;
  private final InstantSource clock;
  private final Map<String, Long> changes = new HashMap<>();
  private final Deque<Mark> marks = new ArrayDeque<>();
  private Map<String, Long> counted = Map.of();
  private Map<String, Long> changesThen = Map.of();
  private final Set<String> full = new TreeSet<>();

  /** All changes by this node until a time. */
  private record Mark(Instant at, Map<String, Long> changes) {}

  /**
   * @param config how many messages may wait
   * @param clock the node's, which is never set back
   */
  public Backlogs(InboxConfig config, InstantSource clock) {
    this.config = config;
    this.clock = clock;
    mark();
  }

  /**
   * Remembers how many messages this node has captured and handled by now. Call it now and then,
   * and before each count.
   */
  public synchronized void mark() {
    marks.addLast(new Mark(clock.instant(), Map.copyOf(changes)));
    if (marks.size() > MARKS) {
      marks.removeFirst();
    }
  }

  /**
   * Takes over a count.
   *
   * @param found how many messages of each consumer that has any wait
   * @param age how long ago the count began
   */
  public synchronized void counted(Map<String, Long> found, Duration age) {
    Instant began = clock.instant().minus(age);
    while (marks.size() > 1 && isFollowedByOneBefore(began)) {
      marks.removeFirst();
    }
    counted = Map.copyOf(found);
    changesThen = marks.getFirst().changes();
    Set<String> candidates = new TreeSet<>(full);
    candidates.addAll(counted.keySet());
    candidates.forEach(this::decide);
  }

  private boolean isFollowedByOneBefore(Instant time) {
    return !marks.stream().skip(1).findFirst().orElseThrow().at().isAfter(time);
  }

  /** Counts a message that this node has captured. */
  public synchronized void captured(String consumer) {
    changes.merge(consumer, 1L, Long::sum);
    decide(consumer);
  }

  /** Counts a message that this node has handled, or parked. */
  public synchronized void ended(String consumer) {
    changes.merge(consumer, -1L, Long::sum);
    decide(consumer);
  }

  private void decide(String consumer) {
    long limit = config.of(consumer).capture().limit();
    long waiting = waiting(consumer);
    int tenths = full.contains(consumer) ? FREE_AGAIN : TENTHS;
    if (waiting * TENTHS >= limit * tenths) {
      full.add(consumer);
    } else {
      full.remove(consumer);
    }
  }

  /** How many messages of a consumer wait, as far as this node knows. */
  synchronized long waiting(String consumer) {
    return counted.getOrDefault(consumer, 0L)
        + changes.getOrDefault(consumer, 0L)
        - changesThen.getOrDefault(consumer, 0L);
  }

  /** Whether as many messages of a consumer wait as may, and a tenth of that is not free yet. */
  public synchronized boolean isFull(String consumer) {
    return full.contains(consumer);
  }

  /** The consumers whose endpoints are paused until fewer messages wait. */
  public synchronized Set<String> full() {
    return Set.copyOf(full);
  }
}
