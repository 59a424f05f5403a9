package io.postbox.inbox.gate;

import io.postbox.common.time.Timing;
import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * Probes the inbox's own database after a handler lost a connection, which may belong to another
 * database. The caller waits for a probe that began after the call; all waiting callers share one.
 * Thread-safe.
 */
final class OnDemandProbe {
  private final Timing timing;
  private final Runnable probe;
  private final DatabaseOutages outages;
  private final Executor threads;
  private boolean asking;
  private long asked;
  private long answered;

  /**
   * @param probe probes the database, and throws nothing
   * @param threads runs each task at once, on a thread of its own that is in no transaction
   */
  OnDemandProbe(Timing timing, Runnable probe, DatabaseOutages outages, Executor threads) {
    this.timing = timing;
    this.outages = outages;
    this.threads = threads;
    this.probe = probe;
  }

  /** Waits until the probe has succeeded or raised a suspicion, up to a limit. */
  synchronized void await(Duration atMost) {
    long mine = asked + 1;
    long start = timing.nanos();
    try {
      for (Duration left = atMost;
          answered < mine && !outages.isSuspected() && !outages.isStopped() && isPositive(left);
          left = timing.left(start, atMost)) {
        if (!asking && !begin()) {
          return; // no thread is left; the periodic probe decides
        }
        timing.await(this, left);
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isPositive(Duration left) {
    return left.compareTo(Duration.ZERO) > 0;
  }

  private boolean begin() {
    asking = true;
    asked++;
    try {
      threads.execute(this::ask);
      return true;
    } catch (RuntimeException | Error refused) {
      asking = false;
      return false;
    }
  }

  private void ask() {
    try {
      probe.run();
    } finally {
      synchronized (this) {
        asking = false;
        answered = asked;
        notifyAll();
      }
    }
  }
}
