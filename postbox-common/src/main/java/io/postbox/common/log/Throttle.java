package io.postbox.common.log;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Limits a log line that anyone can cause to one a minute, with a count. Thread-safe. */
public final class Throttle {
  /** The shortest time between two lines. */
  public static final Duration PAUSE = Duration.ofMinutes(1);

  private final LongSupplier nanos;
  private long unlogged;
  private long lastLogged;
  private boolean hasLogged;

  /**
   * @param nanos the time in nanoseconds, from any origin
   */
  public Throttle(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Counts an occurrence.
   *
   * @return the number of occurrences since the last line, this one included, if a line is due;
   *     otherwise zero
   */
  public synchronized long take() {
    unlogged++;
    long now = nanos.getAsLong();
    if (hasLogged && now - lastLogged < PAUSE.toNanos()) {
      return 0;
    }
    long times = unlogged;
    unlogged = 0;
    lastLogged = now;
    hasLogged = true;
    return times;
  }
}
