package io.postbox.console.http;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a value for a while, however many ask. While one caller gets a new one, the others have the
 * old one. Thread-safe.
 *
 * @param <T> the value's type
 */
public final class Cached<T> {
  private final Supplier<T> source;
  private final long nanos;
  private final LongSupplier clock;
  private final ReentrantLock one = new ReentrantLock();
  private volatile @Nullable Kept<T> kept;

  private record Kept<T>(T value, long at) {}

  /**
   * @param source of values
   * @param age how old a value may become
   */
  public Cached(Supplier<T> source, Duration age) {
    this(source, age, System::nanoTime);
  }

  /**
   * @param clock in nanoseconds, as {@link System#nanoTime}
   */
  Cached(Supplier<T> source, Duration age, LongSupplier clock) {
    this.source = source;
    this.nanos = age.toNanos();
    this.clock = clock;
  }

  /** A value that is young enough, or one that is being replaced at the moment. */
  public T get() {
    Kept<T> old = kept;
    if (old != null && (isYoung(old) || one.isLocked())) {
      return old.value();
    }
    one.lock();
    try {
      Kept<T> meanwhile = kept;
      if (meanwhile != null && isYoung(meanwhile)) {
        return meanwhile.value();
      }
      T value = source.get();
      kept = new Kept<>(value, clock.getAsLong());
      return value;
    } finally {
      one.unlock();
    }
  }

  /** Forgets the value, because it has just been changed. */
  public void forget() {
    kept = null;
  }

  private boolean isYoung(Kept<T> value) {
    return clock.getAsLong() - value.at() < nanos;
  }
}
