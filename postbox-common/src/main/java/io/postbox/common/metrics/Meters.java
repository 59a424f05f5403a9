package io.postbox.common.metrics;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * A metrics system. A series that is asked for again is the same one. Thread-safe; nothing here
 * blocks.
 */
public interface Meters {

  /** Counts. */
  interface Counter {
    /**
     * Increases the counter.
     *
     * @param more at least zero
     */
    void add(long more);
  }

  /** Collects durations. */
  interface Timer {
    /**
     * Adds a duration.
     *
     * @param duration not negative
     */
    void record(Duration duration);
  }

  /** Drops everything. */
  Meters NONE =
      new Meters() {
        @Override
        public Counter counter(Meter meter) {
          return more -> {};
        }

        @Override
        public void gauge(Meter meter, DoubleSupplier value) {
          // nobody reads it
        }

        @Override
        public Timer timer(Meter meter) {
          return duration -> {};
        }

        @Override
        public void remove(Meter meter) {
          // there is none
        }

        @Override
        public void close() {
          // there are none
        }
      };

  /** The counter of a series. */
  Counter counter(Meter meter);

  /**
   * Shows a number.
   *
   * @param value called whenever the system reads the series, so it must be cheap and must not fail
   */
  void gauge(Meter meter, DoubleSupplier value);

  /** The timer of a series. */
  Timer timer(Meter meter);

  /** Removes a series, as far as the system can forget one. */
  void remove(Meter meter);

  /** Removes all series, because the application ends. */
  void close();
}
