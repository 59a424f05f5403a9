package io.postbox.outbox.relay;

import java.time.Duration;

/**
 * How long the timer pauses until it looks again: briefly while there is work about, else twice as
 * long as before, up to a limit.
 */
final class PollInterval {
  static final Duration SHORTEST = Duration.ofMillis(200);
  static final Duration LONGEST = Duration.ofSeconds(10);
  private static final Duration IDLE_AT_LEAST = Duration.ofSeconds(1);
  private static final Duration PAUSED = Duration.ofSeconds(1);

  private static final Duration LONGEST_TICK = Duration.ofMillis(500);

  private PollInterval() {}

  /** How long until somebody asks whether it is time to look; at most a breaker's first wait. */
  static Duration tick(Duration untilNextPoll) {
    return max(SHORTEST, min(untilNextPoll, LONGEST_TICK));
  }

  /**
   * The pause after a look.
   *
   * @param before the last one
   * @param took how long the look took; looks take at most a tenth of the time
   * @param workAbout whether the look found something, or a worker is busy
   * @param paused whether somebody has paused a destination, who will let it go on some time
   */
  static Duration next(Duration before, Duration took, boolean workAbout, boolean paused) {
    Duration idle = min(max(before.multipliedBy(2), IDLE_AT_LEAST), paused ? PAUSED : LONGEST);
    return max(workAbout ? SHORTEST : idle, min(took.multipliedBy(10), LONGEST));
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
