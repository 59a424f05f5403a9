package io.postbox.common;

import io.postbox.common.config.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How often a message may fail and how long it waits in between, where an operator wants that other
 * than configured; an empty part stays as configured. Immutable and thread-safe; every method
 * returns a new policy. Bounds are checked when the policy is set, and are those of the
 * configuration's keys.
 *
 * @param maxAttempts after how many failed attempts a message becomes a dead letter or is parked: 1
 *     to 1,000,000
 * @param firstBackoff the longest wait after the first failure, which doubles with each further
 *     one: 1 ms to 1 day, in whole milliseconds
 * @param maxBackoff the longest wait after any failure: from the first wait to 1 day, in whole
 *     milliseconds
 */
public record RetryPolicy(
    Optional<Integer> maxAttempts, Optional<Duration> firstBackoff, Optional<Duration> maxBackoff) {
  private static final RetryPolicy AS_CONFIGURED =
      new RetryPolicy(Optional.empty(), Optional.empty(), Optional.empty());

  /** All as configured. */
  public static RetryPolicy asConfigured() {
    return AS_CONFIGURED;
  }

  /** Another number of attempts, as {@code max-attempts} in the configuration. */
  public RetryPolicy maxAttempts(int attempts) {
    return new RetryPolicy(Optional.of(attempts), firstBackoff, maxBackoff);
  }

  /** Another first wait, as {@code backoff.first} in the configuration. */
  public RetryPolicy firstBackoff(Duration wait) {
    return new RetryPolicy(maxAttempts, Optional.of(wait), maxBackoff);
  }

  /** Another longest wait, as {@code backoff.max} in the configuration. */
  public RetryPolicy maxBackoff(Duration wait) {
    return new RetryPolicy(maxAttempts, firstBackoff, Optional.of(wait));
  }

  /** The parts that are not as configured, in the configuration's words. */
  @Override
  public String toString() {
    return Stream.of(
            maxAttempts.map("max-attempts=%s"::formatted),
            firstBackoff.map(Durations::text).map("backoff.first="::concat),
            maxBackoff.map(Durations::text).map("backoff.max="::concat))
        .flatMap(Optional::stream)
        .collect(Collectors.joining(", "));
  }
}
