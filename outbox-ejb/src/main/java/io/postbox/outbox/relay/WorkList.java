package io.postbox.outbox.relay;

import java.time.Duration;
import java.util.BitSet;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Which partitions have work, and how many workers are on it. A partition is with one worker at a
 * time; a worker is started when there is work for it and ends when there is none. Telling it of
 * work only sets a bit and, at most, hands a task to the executor. Thread-safe.
 */
final class WorkList {
  private final BitSet waiting = new BitSet();
  private final BitSet taken = new BitSet();
  private final int workers;
  private int running;
  private int last = -1;
  private boolean stopped;

  /**
   * @param workers how many may run at once
   */
  WorkList(int workers) {
    this.workers = workers;
  }

  /**
   * Adds partitions, and starts a worker if there is room for one.
   *
   * @param partitions a set of partition numbers; not kept
   * @param executor where a worker runs
   * @param worker what it does
   */
  void add(BitSet partitions, Executor executor, Runnable worker) {
    if (partitions.isEmpty()) {
      return;
    }
    int start;
    synchronized (this) {
      waiting.or(partitions);
      start = stopped ? 0 : Math.min(workers - running, waiting.cardinality());
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

  /** Takes the next partition, in turns; empty ends the worker that asks. */
  synchronized OptionalInt take() {
    BitSet free = (BitSet) waiting.clone();
    free.andNot(taken);
    if (stopped || free.isEmpty()) {
      running--;
      notifyAll();
      return OptionalInt.empty();
    }
    int next = free.nextSetBit(last + 1);
    last = next >= 0 ? next : free.nextSetBit(0);
    waiting.clear(last);
    taken.set(last);
    return OptionalInt.of(last);
  }

  /** Gives a partition back, to be taken again if there is more to do. */
  synchronized void giveBack(int partition, boolean more) {
    taken.clear(partition);
    if (more) {
      waiting.set(partition);
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
