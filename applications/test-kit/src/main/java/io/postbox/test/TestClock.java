package io.postbox.test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The time of a test. It stands still until the test moves it, for outbox, inbox and database
 * alike. In SQL, the application's own included, it is {@code CURRENT_TIMESTAMP} on H2 and {@code
 * clock_timestamp()} on PostgreSQL. Thread-safe.
 */
public final class TestClock implements InstantSource {
  private final List<Consumer<Instant>> listeners = new CopyOnWriteArrayList<>();
  private Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

  TestClock() {}

  /** The time, in whole milliseconds; that of the machine when the test began. */
  @Override
  public synchronized Instant instant() {
    return now;
  }

  /**
   * Moves the time on. Work that becomes due by that runs when the test runs it.
   *
   * @param time zero or more, counted in milliseconds
   * @throws IllegalArgumentException if it is negative
   */
  public void advance(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("Time moves on and not back, and not by " + time);
    }
    synchronized (this) {
      now = now.plusMillis(time.toMillis());
    }
    listeners.forEach(listener -> listener.accept(instant()));
  }

  /** Is told of each move. */
  void onMove(Consumer<Instant> listener) {
    listeners.add(listener);
  }
}
