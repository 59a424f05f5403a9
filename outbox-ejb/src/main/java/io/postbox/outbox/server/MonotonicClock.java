package io.postbox.outbox.server;

import java.time.Instant;
import java.time.InstantSource;

/** Nothing on it needs the time of day, and a clock that is set back must not stop the relay. */
final class MonotonicClock {
  private MonotonicClock() {}

  static InstantSource started() {
    Instant start = Instant.now();
    long nanos = System.nanoTime();
    return () -> start.plusNanos(System.nanoTime() - nanos);
  }
}
