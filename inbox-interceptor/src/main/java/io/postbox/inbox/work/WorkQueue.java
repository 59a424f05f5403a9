package io.postbox.inbox.work;

import io.postbox.common.time.Timing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Gives stored messages of one consumer to this node's workers: captured ones, or those that are
 * released in the order of versions. It reads a few at a time, whenever it has none left and there
 * may be some: after a wake-up, after work that may have made another message due, and now and
 * then. It never gives out a message twice at the same time, nor one that has just failed. Other
 * nodes may work on the same messages; the database decides. Thread-safe.
 */
public final class WorkQueue {
  /** The wait after a look that found something, and the longest one after looks that did not. */
  static final Duration SHORTEST_WAIT = Duration.ofMillis(200);

  static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  /** How long a message that has failed outside of its handler is left alone. */
  public static final Duration COOLING = Duration.ofMillis(500);

  private final Source source;
  private final int limit;
  private final Timing timing;
  private final Deque<Long> found = new ArrayDeque<>();
  private final Set<Long> working = new HashSet<>();
  private final Map<Long, Long> cooling = new HashMap<>();
  private final NavigableSet<Long> due; // times by the monotonic clock, which may be negative
  private long lookAt;
  private Duration wait = SHORTEST_WAIT;
  private boolean isLooking;
  private boolean isWoken = true;
  private boolean isStopped;

  /** Reads messages that may be handled now. */
  @FunctionalInterface
  public interface Source {
    /**
     * The ids of the next messages; none if the consumer is paused, or the database failed.
     *
     * @param limit the most ids
     */
    List<Long> read(int limit);
  }

  /** The end of a worker's work on a message. */
  public enum Result {
    /** Nothing that another message waited for has changed. */
    DONE,
    /** Another message may be due now. */
    DONE_AND_MORE,
    /** It failed where no delay was recorded. */
    FAILED
  }

  /**
   * @param source reads messages
   * @param workers how many messages are handled at once
   */
  public WorkQueue(Source source, int workers) {
    this(source, workers, Timing.SYSTEM);
  }

  WorkQueue(Source source, int workers, Timing timing) {
    this.source = source;
    this.timing = timing;
    limit = 4 * workers;
    long start = timing.nanos();
    lookAt = start;
    due = new TreeSet<>(Comparator.comparing((Long at) -> at - start));
  }

  /**
   * Waits for the next message. The caller has to end its work with {@link #done}.
   *
   * @return its id; empty after {@link #stop}
   */
  public OptionalLong take() throws InterruptedException {
    while (true) {
      synchronized (this) {
        if (!awaitWork()) {
          return OptionalLong.empty();
        }
        Long next = found.poll();
        if (next != null) {
          working.add(next);
          return OptionalLong.of(next);
        }
        isLooking = true;
        isWoken = false;
      }
      look();
    }
  }

  /** Returns when there is a message, or it is this thread's turn to look for some. */
  private boolean awaitWork() throws InterruptedException {
    while (!isStopped && found.isEmpty() && !isTurn()) {
      timing.await(this, isLooking ? LONGEST_WAIT : Duration.ofNanos(lookAt - timing.nanos()));
    }
    return !isStopped;
  }

  private boolean isTurn() {
    return !isLooking && (isWoken || lookAt - timing.nanos() <= 0);
  }

  private void look() {
    List<Long> ids = List.of();
    try {
      ids = source.read(toRead());
    } finally {
      looked(ids);
    }
  }

  /** More than are given out, so that those behind the ones that are left alone are found. */
  private synchronized int toRead() {
    return limit + cooling.size() + working.size();
  }

  private synchronized void looked(List<Long> ids) {
    isLooking = false;
    long now = timing.nanos();
    cooling.values().removeIf(until -> until - now <= 0);
    for (Long id : ids) {
      if (!working.contains(id) && !cooling.containsKey(id)) {
        found.add(id);
      }
    }
    if (!found.isEmpty()) {
      wait = SHORTEST_WAIT;
      isWoken = isWoken || ids.size() >= limit; // there may be more
    }
    due.removeAll(List.copyOf(due.headSet(now, true)));
    lookAt = now + wait.toNanos();
    if (!due.isEmpty() && lookAt - due.first() > 0) {
      lookAt = due.first();
    }
    if (found.isEmpty()) {
      wait = wait.multipliedBy(2).compareTo(LONGEST_WAIT) < 0 ? wait.multipliedBy(2) : LONGEST_WAIT;
    }
    notifyAll();
  }

  /** Ends the work on a message that failed: it is left alone for a time. */
  public synchronized void failed(long id, Duration time) {
    working.remove(id);
    cooling.put(id, timing.nanos() + time.toNanos());
    lookWithin(time);
  }

  /** Ends the work on a message. */
  public synchronized void done(long id, Result result) {
    working.remove(id);
    if (result == Result.FAILED) {
      failed(id, COOLING);
    } else if (result == Result.DONE_AND_MORE) {
      wake();
    }
  }

  /** Has the workers look for messages at the latest after a time. */
  public synchronized void lookWithin(Duration time) {
    long at = timing.nanos() + time.toNanos();
    due.add(at);
    if (lookAt - at > 0) {
      lookAt = at;
      notifyAll();
    }
  }

  /** Has the workers look for messages, because there may be some. */
  public synchronized void wake() {
    isWoken = true;
    wait = SHORTEST_WAIT;
    notifyAll();
  }

  /** Waits so long, or until the stop. */
  public synchronized void rest(Duration time) {
    long end = timing.nanos() + time.toNanos();
    for (long left = time.toNanos(); left > 0 && !isStopped; left = end - timing.nanos()) {
      try {
        timing.await(this, Duration.ofNanos(left));
      } catch (InterruptedException leftOver) { // by a handler; nobody interrupts to end the rest
      }
    }
  }

  /** Ends all waiting; no message is given out any more. */
  public synchronized void stop() {
    isStopped = true;
    notifyAll();
  }

  /** Whether no message is given out any more. */
  public synchronized boolean isStopped() {
    return isStopped;
  }

  /** How many messages this node works on. */
  public synchronized int working() {
    return working.size();
  }
}
