package io.postbox.inbox.log;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Log lines of which each consumer has only some in a burst; the others are counted, and their
 * number is logged when the burst has ended. Thread-safe.
 *
 * @param <B> a burst, which is used under this object's lock until it has ended
 */
abstract class HeldBackLines<B extends HeldBackLines.Burst> {
  /** A monotonic clock in nanoseconds. */
  final LongSupplier nanos;

  private final Map<String, B> bursts = new HashMap<>();
  private boolean stopped;

  /** What one consumer's lines are about, in quick succession. */
  interface Burst {
    boolean hasEnded(long now);

    /** Logs how many lines were held back, if any were. */
    void tellHeldBack();
  }

  HeldBackLines(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Whether to log a line; otherwise it is counted.
   *
   * @param begin begins a burst at a time
   * @param counted asks the present burst
   */
  final boolean tells(String consumer, LongFunction<B> begin, Predicate<B> counted) {
    List<B> ended;
    boolean tells;
    synchronized (this) {
      ended = ended();
      tells = // after the stop no call would log the number
          stopped
              || counted.test(
                  bursts.computeIfAbsent(consumer, unknown -> begin.apply(nanos.getAsLong())));
    }
    ended.forEach(Burst::tellHeldBack);
    return tells;
  }

  /** Logs how many lines of ended bursts were held back. Call it every few seconds. */
  public final void tellHeldBack() {
    ended().forEach(Burst::tellHeldBack);
  }

  /** Logs how many lines were held back so far. From now on every line is logged. */
  public final void stop() {
    synchronized (this) {
      stopped = true;
    }
    tellHeldBack();
  }

  private synchronized List<B> ended() {
    long now = nanos.getAsLong();
    List<B> ended = new ArrayList<>();
    for (Iterator<B> all = bursts.values().iterator(); all.hasNext(); ) {
      B burst = all.next();
      if (stopped || burst.hasEnded(now)) {
        ended.add(burst);
        all.remove();
      }
    }
    return ended;
  }
}
