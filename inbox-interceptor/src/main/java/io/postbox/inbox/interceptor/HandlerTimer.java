package io.postbox.inbox.interceptor;

import io.postbox.inbox.receiver.InboxListener;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long handlers take, and how old messages are when they are handled. Thread-safe.
 *
 * @param listener notified at the end of each run
 * @param clock the node's clock
 * @param nanos a monotonic clock for durations
 */
record HandlerTimer(InboxListener listener, InstantSource clock, LongSupplier nanos) {

  /**
   * Wraps a handler to time it.
   *
   * @param enqueuedAt when its message was enqueued, by another clock; {@code null} if unknown
   */
  Callable<@Nullable Object> timed(
      String consumer, @Nullable Instant enqueuedAt, Callable<@Nullable Object> handler) {
    return () -> {
      long before = nanos.getAsLong();
      boolean returned = false;
      try {
        Object result = handler.call();
        returned = true;
        return result;
      } finally {
        listener.handlerEnded(
            consumer,
            Duration.ofNanos(nanos.getAsLong() - before),
            returned && enqueuedAt != null ? age(enqueuedAt) : null);
      }
    };
  }

  /** The message's age, at least zero, because the sender's clock may be ahead of this node's. */
  private Duration age(Instant enqueuedAt) {
    Duration age = Duration.between(enqueuedAt, clock.instant());
    return age.isNegative() ? Duration.ZERO : age;
  }
}
