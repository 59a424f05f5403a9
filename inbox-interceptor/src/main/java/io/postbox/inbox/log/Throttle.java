package io.postbox.inbox.log;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Lets a line that anybody can cause be told once a minute, with their number. Thread-safe. */
public final class Throttle {
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private final LongSupplier nanos;
  private long untold;
  private long lastTold;
  private boolean wasTold;

  /**
   * @param nanos the time in nanoseconds, since some moment or other
   */
  public Throttle(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Takes note of one.
   *
   * @return how many there were since the last that was told, with this one, if it is to be told;
   *     otherwise zero
   */
  public synchronized long take() {
    untold++;
    long now = nanos.getAsLong();
    if (wasTold && now - lastTold < PAUSE.toNanos()) {
      return 0;
    }
    long times = untold;
    untold = 0;
    lastTold = now;
    wasTold = true;
    return times;
  }
}
