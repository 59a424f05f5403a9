package io.postbox.common.config;

import java.time.Duration;

/**
 * Exponential backoff with equal jitter: the n-th wait is drawn evenly from the upper half of
 * {@code first * 2^(n-1)}, never more than {@code max}. The lower half is left out, because an
 * immediate retry meets the same failure and delays other messages.
 *
 * @param first the ceiling of the first wait; positive
 * @param max the ceiling of every wait
 */
public record Backoff(Duration first, Duration max) {

  /**
   * The wait after a failed attempt.
   *
   * @param attempt how many attempts have failed, from 1
   * @param random an even draw from 0 (included) to 1 (excluded)
   */
  public Duration after(int attempt, double random) {
    return Duration.ofMillis((long) (ceiling(attempt).toMillis() * (1 + random) / 2));
  }

  /** The longest wait after a failed attempt, from 1. */
  public Duration ceiling(int attempt) {
    int doublings = Math.min(attempt - 1, Long.SIZE - 2 - bits(first.toMillis()));
    long millis = first.toMillis() << Math.max(0, doublings);
    return Duration.ofMillis(Math.min(millis, max.toMillis()));
  }

  private static int bits(long value) {
    return Long.SIZE - Long.numberOfLeadingZeros(value);
  }
}
