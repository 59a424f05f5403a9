package io.postbox.inbox.receiver;

import io.postbox.inbox.config.ConsumerConfig.Capture;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.receiver.Quotas.Used;
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
 * The captured messages of each consumer that wait to be handled, and whether these are as many, or
 * as large, as may wait. One node counts them every few seconds for all nodes; to that each node
 * adds what it has captured since the count began, less what it has handled. Thread-safe.
 */
public final class Backlogs {
  /** How many marks are kept: with five a second, those of two minutes. */
  private static final int MARKS = 600;

  private final InboxConfig config;
  private final InstantSource clock;
  private final Map<String, Used> changes = new HashMap<>();
  private final Deque<Mark> marks = new ArrayDeque<>();
  private Map<String, Used> counted = Map.of();
  private Map<String, Used> changesThen = Map.of();
  private final Set<String> full = new TreeSet<>();

  /** All changes by this node until a time. */
  private record Mark(Instant at, Map<String, Used> changes) {}

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
   * Remembers which messages this node has captured and handled by now. Call it now and then, and
   * before each count.
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
   * @param found the messages of each consumer that has any that wait
   * @param age how long ago the count began
   */
  public synchronized void counted(Map<String, Used> found, Duration age) {
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

  /** Counts a message of this size that this node has captured. */
  public synchronized void captured(String consumer, long bytes) {
    changes.merge(consumer, new Used(1, bytes), Used::plus);
    decide(consumer);
  }

  /** Counts a message of this size that this node has handled, or parked. */
  public synchronized void ended(String consumer, long bytes) {
    changes.merge(consumer, new Used(-1, -bytes), Used::plus);
    decide(consumer);
  }

  private void decide(String consumer) {
    Capture limit = config.of(consumer).capture();
    if (waiting(consumer).reaches(limit.limit(), limit.bytes(), full.contains(consumer))) {
      full.add(consumer);
    } else {
      full.remove(consumer);
    }
  }

  /** The messages of a consumer that wait, as far as this node knows. */
  synchronized Used waiting(String consumer) {
    return counted
        .getOrDefault(consumer, Used.NOTHING)
        .plus(changes.getOrDefault(consumer, Used.NOTHING))
        .minus(changesThen.getOrDefault(consumer, Used.NOTHING));
  }

  /**
   * Whether as many messages of a consumer wait as may, or as large ones, and a tenth of that is
   * not free yet.
   */
  public synchronized boolean isFull(String consumer) {
    return full.contains(consumer);
  }

  /** The consumers whose endpoints are paused until fewer messages wait. */
  public synchronized Set<String> full() {
    return Set.copyOf(full);
  }
}
