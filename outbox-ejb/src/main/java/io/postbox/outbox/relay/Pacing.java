package io.postbox.outbox.relay;

import java.time.Duration;

/**
 * How long the timer pauses until it looks again: briefly while there is work about, else twice as
 * long as before, up to a limit.
 */
final class Pacing {
  static final Duration SHORTEST = Duration.ofMillis(200);
  static final Duration LONGEST = Duration.ofSeconds(10);
  private static final Duration IDLE_AT_LEAST = Duration.ofSeconds(1);

  private static final Duration LONGEST_TICK = Duration.ofMillis(500);

  private Pacing() {}

  /** How long until somebody asks whether it is time to look; at most a breaker's first wait. */
  static Duration tick(Duration untilNextLook) {
    return max(SHORTEST, min(untilNextLook, LONGEST_TICK));
  }

  /**
   * The pause after a look.
   *
   * @param before the last one
   * @param workAbout whether the look found something, or a worker is busy
   */
  static Duration next(Duration before, boolean workAbout) {
    return workAbout ? SHORTEST : min(max(before.multipliedBy(2), IDLE_AT_LEAST), LONGEST);
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
