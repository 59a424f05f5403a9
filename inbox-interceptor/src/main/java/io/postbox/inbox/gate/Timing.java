package io.postbox.inbox.gate;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The time, and waiting for it to pass. Thread-safe. */
interface Timing {

  /** That of the machine. */
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

  /** Nanoseconds since some moment or other. */
  long nanos();

  /** Waits until somebody notifies, or so long, or for no reason. The caller holds the monitor. */
  void await(Object monitor, Duration atMost) throws InterruptedException;

  /** How much is left of a wait. */
  default Duration left(long since, Duration wait) {
    return wait.minusNanos(nanos() - since);
  }
}
