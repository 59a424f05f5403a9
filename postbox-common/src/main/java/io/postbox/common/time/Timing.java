package io.postbox.common.time;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A monotonic clock, and waits by it. Thread-safe. */
public interface Timing {

  /** The machine's clock. */
  Timing SYSTEM =
      new Timing() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void await(Object monitor, Duration atMost) throws InterruptedException {
          TimeUnit.NANOSECONDS.timedWait(monitor, atMost.toNanos());
        }
      };

  /** Nanoseconds from any origin. */
  long nanos();

  /**
   * Waits until notified or for this long, and may wake spuriously. The caller holds the monitor.
   */
  void await(Object monitor, Duration atMost) throws InterruptedException;

  /** The remaining time of a wait. */
  default Duration left(long since, Duration wait) {
    return wait.minusNanos(nanos() - since);
  }
}
