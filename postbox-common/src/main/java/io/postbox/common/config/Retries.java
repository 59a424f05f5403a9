package io.postbox.common.config;

import io.postbox.common.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How often a message may fail, and how long it waits in between. Immutable and pure.
 *
 * @param maxAttempts after how many failed attempts a message becomes a dead letter or is parked
 * @param backoff the waits between attempts
 */
public record Retries(int maxAttempts, Backoff backoff) {
  /** The most attempts that may be configured; the fewest are one. */
  public static final int MOST_ATTEMPTS = 1_000_000;

  /** The shortest wait that may be configured. */
  public static final Duration SHORTEST_WAIT = Duration.ofMillis(1);

  /** The longest wait that may be configured. */
  public static final Duration LONGEST_WAIT = Duration.ofDays(1);

  /**
   * These, except for what a policy says. A wait that it does not mention is moved by as much as it
   * takes to keep the first not above the longest.
   */
  public Retries with(RetryPolicy policy) {
    Duration first =
        policy
            .firstBackoff()
            .orElseGet(() -> policy.maxBackoff().map(this::noLongerThan).orElse(backoff.first()));
    Duration max = policy.maxBackoff().orElseGet(() -> Durations.longer(first, backoff.max()));
    return new Retries(policy.maxAttempts().orElse(maxAttempts), new Backoff(first, max));
  }

  private Duration noLongerThan(Duration longest) {
    return Durations.shorter(backoff.first(), longest);
  }

  /**
   * The objections to a policy that is to be used in place of these: the value, and what is
   * expected.
   */
  public List<String> objections(RetryPolicy policy) {
    List<String> found = new ArrayList<>();
    policy
        .maxAttempts()
        .filter(attempts -> attempts < 1 || attempts > MOST_ATTEMPTS)
        .ifPresent(
            attempts ->
                found.add(
                    "max-attempts=%s: expected a whole number from 1 to %s"
                        .formatted(attempts, MOST_ATTEMPTS)));
    policy
        .firstBackoff()
        .filter(wait -> isOutside(wait, SHORTEST_WAIT))
        .ifPresent(
            wait ->
                found.add(
                    "backoff.first=%s: expected a duration from %s to %s"
                        .formatted(
                            Durations.text(wait),
                            Durations.text(SHORTEST_WAIT),
                            Durations.text(LONGEST_WAIT))));
    Duration first = policy.firstBackoff().orElse(backoff.first());
    policy
        .maxBackoff()
        .filter(wait -> isOutside(wait, SHORTEST_WAIT) || wait.compareTo(first) < 0)
        .ifPresent(
            wait ->
                found.add(
                    "backoff.max=%s: expected a duration from backoff.first, which is %s, to %s"
                        .formatted(
                            Durations.text(wait),
                            Durations.text(first),
                            Durations.text(LONGEST_WAIT))));
    return found;
  }

  private static boolean isOutside(Duration wait, Duration shortest) {
    return wait.compareTo(shortest) < 0 || wait.compareTo(LONGEST_WAIT) > 0;
  }
}
