package io.postbox.inbox.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Logs messages that are kept aside, without filling the log when a sender sends many: for each
 * consumer the first ones within a minute, and then the number of the others. Thread-safe.
 */
public final class KeptLines {
  /** How many are logged within a minute. */
  static final int FIRST = 20;

  static final Duration WINDOW = Duration.ofMinutes(1);

  private final LongSupplier nanos;
  private final Map<String, Window> windows = new HashMap<>();
  private boolean stopped;

  private static final class Window {
    private final long beganAt;
    private int told;
    private long heldBack;

    Window(long beganAt) {
      this.beganAt = beganAt;
    }
  }

  private record HeldBack(String consumer, long messages) {
    void tell() {
      WatchLog.keptHeldBack(consumer, messages, WINDOW);
    }
  }

  /**
   * @param nanos a monotonic clock in nanoseconds
   */
  public KeptLines(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Logs a message, or counts it. */
  public void tell(String consumer, Runnable line) {
    List<HeldBack> ended = new ArrayList<>();
    boolean tells;
    synchronized (this) {
      endThoseOver(ended, false);
      Window window = windows.computeIfAbsent(consumer, unknown -> new Window(nanos.getAsLong()));
      tells = stopped || window.told < FIRST;
      if (tells) {
        window.told++;
      } else {
        window.heldBack++;
      }
    }
    ended.forEach(HeldBack::tell);
    if (tells) {
      line.run();
    }
  }

  /** Logs the number of suppressed messages of past minutes. Call it every few seconds. */
  public void tellHeldBack() {
    ended(false).forEach(HeldBack::tell);
  }

  /** Logs the number of suppressed messages so far. From now on every message is logged. */
  public void stop() {
    ended(true).forEach(HeldBack::tell);
  }

  private synchronized List<HeldBack> ended(boolean all) {
    stopped |= all;
    List<HeldBack> ended = new ArrayList<>();
    endThoseOver(ended, all);
    return ended;
  }

  private void endThoseOver(List<HeldBack> ended, boolean all) {
    long now = nanos.getAsLong();
    windows
        .entrySet()
        .removeIf(
            each -> {
              Window window = each.getValue();
              boolean isOver = all || now - window.beganAt >= WINDOW.toNanos();
              if (isOver && window.heldBack > 0) {
                ended.add(new HeldBack(each.getKey(), window.heldBack));
              }
              return isOver;
            });
  }
}
