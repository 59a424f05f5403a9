package io.postbox.inbox.log;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Logs messages that are kept aside, without filling the log when a sender sends many: for each
 * consumer the first ones within a minute, and then the number of the others. Thread-safe.
 */
public final class KeptLines extends HeldBackLines<KeptLines.Window> {
  /** How many are logged within a minute. */
  static final int FIRST = 20;

  static final Duration WINDOW = Duration.ofMinutes(1);

  /** One minute of a consumer. */
  static final class Window implements HeldBackLines.Burst {
    private final String consumer;
    private final long beganAt;
    private int told;
    private long heldBack;

    Window(String consumer, long beganAt) {
      this.consumer = consumer;
      this.beganAt = beganAt;
    }

    @Override
    public boolean hasEnded(long now) {
      return now - beganAt >= WINDOW.toNanos();
    }

    /** Whether to log a message. */
    boolean tells() {
      if (told < FIRST) {
        told++;
        return true;
      }
      heldBack++;
      return false;
    }

    @Override
    public void tellHeldBack() {
      if (heldBack > 0) {
        WatchLog.keptHeldBack(consumer, heldBack, WINDOW);
      }
    }
  }

  /**
   * @param nanos a monotonic clock in nanoseconds
   */
  public KeptLines(LongSupplier nanos) {
    super(nanos);
  }

  /** Logs a message, or counts it. */
  public void tell(String consumer, Runnable line) {
    if (tells(consumer, now -> new Window(consumer, now), Window::tells)) {
      line.run();
    }
  }
}
