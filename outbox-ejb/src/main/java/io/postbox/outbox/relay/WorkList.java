package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import java.time.Duration;
import java.util.BitSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Which lanes have work, and how many workers are on it. They are taken in turns; a partition is
 * with one worker at a time, since its row lock is one. A worker is started when there is work for
 * it and ends when there is none. Telling it of work only adds to a set and, at most, hands a task
 * to the executor. Thread-safe.
 */
final class WorkList {
  private final Set<Lane> waiting = new LinkedHashSet<>();
  private final BitSet taken = new BitSet();
  private final int workers;
  private int running;
  private boolean stopped;

  /**
   * @param workers how many may run at once
   */
  WorkList(int workers) {
    this.workers = workers;
  }

  /**
   * Adds lanes, and starts workers if there is room for them.
   *
   * @param lanes not kept
   * @param executor where a worker runs
   * @param worker what it does
   */
  void add(Collection<Lane> lanes, Executor executor, Runnable worker) {
    if (lanes.isEmpty()) {
      return;
    }
    int start;
    synchronized (this) {
      waiting.addAll(lanes);
      start = stopped ? 0 : Math.min(workers - running, waiting.size());
      running += start;
    }
    for (int i = 0; i < start; i++) {
      try {
        executor.execute(worker);
      } catch (RuntimeException refused) {
        synchronized (this) {
          running -= start - i;
        }
        throw refused;
      }
    }
  }

  /** Takes the next lane, in turns; empty ends the worker that asks. */
  synchronized Optional<Lane> take() {
    if (!stopped) {
      for (Iterator<Lane> lanes = waiting.iterator(); lanes.hasNext(); ) {
        Lane lane = lanes.next();
        if (!taken.get(lane.partition())) {
          lanes.remove();
          taken.set(lane.partition());
          return Optional.of(lane);
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

  /** Whether a worker is at it. */
  synchronized boolean isBusy() {
    return running > 0;
  }

  /**
   * Lets the workers end after what they have in hand, and waits for them.
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
