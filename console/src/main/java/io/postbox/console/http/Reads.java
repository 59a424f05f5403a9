package io.postbox.console.http;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds how many reads run at once on a node, of all people and of each: every one may hold a
 * connection of the application's pool, for which orders wait otherwise. Thread-safe.
 */
final class Reads {
  /** Of all people. */
  static final int MOST = 4;

  /** Of one person. */
  static final int MOST_OF_ONE = 2;

  /** That wait for their turn, of one person; a page asks for a few things at once. */
  static final int MOST_WAITING = 8;

  private final long patience;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private final Map<String, Integer> running = new HashMap<>();
  private final Map<String, Integer> waiting = new HashMap<>();
  private int all;

  /**
   * @param patience how long a read waits for its turn
   */
  Reads(Duration patience) {
    this.patience = patience.toNanos();
  }

  /** Begins a read, which has to be {@link #end ended}, or tells why it has to wait. */
  Optional<Problem> begin(String person) throws InterruptedException {
    lock.lock();
    try {
      long left = patience;
      while (all == MOST || of(person, running) == MOST_OF_ONE) {
        if (left <= 0 || of(person, waiting) >= MOST_WAITING) {
          return Optional.of(
              of(person, running) == MOST_OF_ONE ? Problem.tooManyReads() : Problem.busy());
        }
        waiting.merge(person, 1, Integer::sum);
        try {
          left = ended.awaitNanos(left);
        } finally {
          less(person, waiting);
        }
      }
      all++;
      running.merge(person, 1, Integer::sum);
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** Ends a read. */
  void end(String person) {
    lock.lock();
    try {
      all--;
      less(person, running);
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How many reads of a person wait for their turn. */
  int waiting(String person) {
    lock.lock();
    try {
      return of(person, waiting);
    } finally {
      lock.unlock();
    }
  }

  private static int of(String person, Map<String, Integer> counts) {
    return counts.getOrDefault(person, 0);
  }

  private static void less(String person, Map<String, Integer> counts) {
    if (of(person, counts) == 1) {
      counts.remove(person);
    } else {
      counts.merge(person, -1, Integer::sum);
    }
  }
}
