package io.postbox.outbox.payload;

import io.postbox.outbox.log.WatchLog;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Tells of rows that are not encrypted although there is a cipher: at once, and then once a minute
 * at most. Thread-safe.
 */
final class PlaintextRowWarning {
  static final Duration PAUSE = Duration.ofMinutes(1);

  private final LongSupplier nanos;
  private long untold;
  private long lastTold;
  private boolean wasTold;

  /**
   * @param nanos the time in nanoseconds, since some moment or other
   */
  PlaintextRowWarning(LongSupplier nanos) {
    this.nanos = nanos;
  }

  void found() {
    long rows;
    synchronized (this) {
      untold++;
      if (wasTold && nanos.getAsLong() - lastTold < PAUSE.toNanos()) {
        return;
      }
      rows = untold;
      untold = 0;
      lastTold = nanos.getAsLong();
      wasTold = true;
    }
    WatchLog.plainRows(rows);
  }
}
