package io.postbox.inbox.interceptor;

import java.time.Instant;
import java.time.InstantSource;

/** For pauses: a clock that is set back would make one endless. */
final class MonotonicClock {
  private MonotonicClock() {}

  static InstantSource started() {
    Instant start = Instant.now();
    long nanos = System.nanoTime();
    return () -> start.plusNanos(System.nanoTime() - nanos);
  }
}
