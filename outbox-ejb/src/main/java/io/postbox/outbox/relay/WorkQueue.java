package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that have work, and the workers that are on them. Workers take lanes in turns; a
 * partition is with one worker at a time, since its row lock is one. A worker is started when there
 * is work for it and ends when there is none. Adding work only adds to a set and, at most, hands a
 * task to the executor. Thread-safe.
 */
final class WorkQueue {
  private final Set<Lane> waiting = new LinkedHashSet<>();
  private final BitSet taken = new BitSet();
  private final int workers;
  private final InstantSource clock;
  private @Nullable Instant unattendedSince;
  private int running;
  private boolean stopped;

  /**
   * @param workers how many may run at once
   * @param clock the node's
   */
  WorkQueue(int workers, InstantSource clock) {
    this.workers = workers;
    this.clock = clock;
  }

  /**
   * Adds lanes, and starts workers if there is room for them; also for lanes that wait because no
   * worker could be started before.
   *
   * @param lanes not kept
   * @param executor where a worker runs
   * @param worker what it does: {@link #work}
   * @throws RuntimeException if the executor takes no worker; the lanes stay
   * @throws Error if there is no thread for one; the lanes stay
   */
  void add(Collection<Lane> lanes, Executor executor, Runnable worker) {
    int toStart = take(lanes);
    try {
      for (; toStart > 0; toStart--) {
        executor.execute(worker);
      }
    } finally {
      gone(toStart);
    }
  }

  /** How many workers to start, which count as running from now on. */
  private synchronized int take(Collection<Lane> lanes) {
    waiting.addAll(lanes);
    if (stopped) {
      return 0;
    }
    if (unattendedSince == null && !waiting.isEmpty() && taken.isEmpty()) {
      unattendedSince = clock.instant();
    }
    int start = Math.min(workers - running, waiting.size());
    running += start;
    return start;
  }

  /** These workers never began, or broke down. */
  private synchronized void gone(int count) {
    running -= count;
    notifyAll();
  }

  /**
   * Takes lanes, in turns, until there are none; whatever ends that, nothing stays taken.
   *
   * @param pass says of a lane whether there may be more to do at once
   */
  void work(Predicate<Lane> pass) {
    boolean ended = false;
    try {
      for (Optional<Lane> next = take(); next.isPresent(); next = take()) {
        workOn(next.get(), pass);
      }
      ended = true;
    } finally {
      if (!ended) {
        gone(1);
      }
    }
  }

  private void workOn(Lane lane, Predicate<Lane> pass) {
    boolean more = false;
    try {
      more = pass.test(lane);
    } finally {
      giveBack(lane, more);
    }
  }

  /** Takes the next lane, in turns; empty ends the worker that asks. */
  synchronized Optional<Lane> take() {
    unattendedSince = null;
    if (!stopped) {
      for (Iterator<Lane> lanes = waiting.iterator(); lanes.hasNext(); ) {
        Lane lane = lanes.next();
        if (!taken.get(lane.partition())) {
          Optional<Lane> next = Optional.of(lane);
          lanes.remove();
          taken.set(lane.partition());
          return next;
        }
      }
    }
    running--;
    notifyAll();
    return Optional.empty();
  }

  /** Gives a lane back, to be taken again if there is more to do. */
  synchronized void giveBack(Lane lane, boolean more) {
    taken.clear(lane.partition());
    if (more) {
      waiting.add(lane);
    }
  }

  /** For how long there has been work that no worker has taken. */
  synchronized Duration unattended() {
    Instant since = unattendedSince;
    return since == null ? Duration.ZERO : Duration.between(since, clock.instant());
  }

  /** Whether a worker is at it. */
  synchronized boolean isBusy() {
    return running > 0;
  }

  /**
   * Lets the workers end after their current lane, and waits for them.
   *
   * @return whether all have ended within the limit
   */
  synchronized boolean stop(Duration limit) throws InterruptedException {
    stopped = true;
    long end = System.nanoTime() + limit.toNanos();
    for (long left = limit.toNanos(); running > 0 && left > 0; left = end - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return running == 0;
  }
}
