package io.postbox.common.time;

import java.time.Instant;
import java.time.InstantSource;

/** For waits and paces: a clock that is set back must not make one endless. */
public final class MonotonicClock {
  private MonotonicClock() {}

  public static InstantSource started() {
    Instant start = Instant.now();
    long nanos = System.nanoTime();
    return () -> start.plusNanos(System.nanoTime() - nanos);
  }
}
