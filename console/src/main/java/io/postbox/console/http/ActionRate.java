package io.postbox.console.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Bounds how many plans and actions one person makes in a minute, by a bucket of tokens for each.
 * Thread-safe.
 */
final class ActionRate {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
  private static final int MOST_PEOPLE = 10_000;

  private final int perMinute;
  private final LongSupplier clock;
  private final Map<String, Bucket> buckets =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
          return size() > MOST_PEOPLE;
        }
      };

  private record Bucket(double tokens, long at) {}

  /**
   * @param perMinute the size of a bucket
   * @param clock in nanoseconds, as {@link System#nanoTime}
   */
  ActionRate(int perMinute, LongSupplier clock) {
    this.perMinute = perMinute;
    this.clock = clock;
  }

  /** Takes a token; if there is none, tells after how many seconds there will be one. */
  synchronized OptionalLong take(String principal) {
    long now = clock.getAsLong();
    Bucket before = buckets.getOrDefault(principal, new Bucket(perMinute, now));
    double tokens =
        Math.min(perMinute, before.tokens() + (double) (now - before.at()) * perMinute / MINUTE);
    if (tokens < 1) {
      buckets.put(principal, new Bucket(tokens, now));
      return OptionalLong.of((long) Math.ceil((1 - tokens) * 60 / perMinute));
    }
    buckets.put(principal, new Bucket(tokens - 1, now));
    return OptionalLong.empty();
  }
}
