package io.postbox.common.log;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongConsumer;
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

  /** By a clock that is never set back. */
  public static Throttle by(InstantSource clock) {
    return new Throttle(() -> Duration.between(Instant.EPOCH, clock.instant()).toNanos());
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

  /**
   * Counts an occurrence, and writes the line if one is due.
   *
   * @param line takes the number of occurrences since the last line, this one included
   */
  public void tell(LongConsumer line) {
    long times = take();
    if (times > 0) {
      line.accept(times);
    }
  }
}
