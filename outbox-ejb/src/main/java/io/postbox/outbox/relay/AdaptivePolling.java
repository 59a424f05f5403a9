package io.postbox.outbox.relay;

import io.postbox.common.config.Durations;
import java.time.Duration;
import java.time.Instant;

/**
 * Decides when to poll next: after an interval that is short while there is work and doubles up to
 * a limit while there is none, and that is longer after a poll that took long. Nothing else brings
 * a poll forward: lanes that are known have their own due times ({@link WorkQueue}), and delayed
 * messages go to work without one. Thread-safe.
 */
final class AdaptivePolling {
  static final Duration SHORTEST = Duration.ofMillis(200);
  static final Duration LONGEST = Duration.ofSeconds(10);

  /** After a poll that took very long. */
  static final Duration LONGEST_AFTER_COSTLY = Duration.ofMinutes(1);

  private static final Duration IDLE_AT_LEAST = Duration.ofSeconds(1);
  private static final Duration PAUSED = Duration.ofSeconds(1);

  private static final Duration LONGEST_TICK = Duration.ofMillis(500);

  private Instant next = Instant.MIN;
  private Duration interval = SHORTEST;

  /** When to poll. */
  synchronized Instant nextPoll() {
    return next;
  }

  /**
   * The poll is over.
   *
   * @param took how long it took
   * @param workAbout whether it found work, or a worker is busy
   * @param paused whether a destination is paused
   * @return the interval that begins now
   */
  synchronized Duration pollEnded(Instant now, Duration took, boolean workAbout, boolean paused) {
    interval = nextInterval(interval, took, workAbout, paused);
    next = now.plus(interval);
    return interval;
  }

  /**
   * How long to wait until the next look at what is due; at most a circuit breaker's first wait.
   */
  static Duration tick(Duration untilNext) {
    return Durations.longer(SHORTEST, Durations.shorter(untilNext, LONGEST_TICK));
  }

  /**
   * The interval after a poll.
   *
   * @param before the last one
   * @param took how long the poll took; polls take at most a tenth of the time, unless one takes
   *     more than six seconds
   * @param workAbout whether the poll found work, or a worker is busy
   * @param paused whether a destination is paused, so that a poll has to notice when it is resumed
   */
  static Duration nextInterval(Duration before, Duration took, boolean workAbout, boolean paused) {
    Duration idle =
        Durations.shorter(
            Durations.longer(before.multipliedBy(2), IDLE_AT_LEAST), paused ? PAUSED : LONGEST);
    return Durations.longer(
        workAbout ? SHORTEST : idle,
        Durations.shorter(took.multipliedBy(10), LONGEST_AFTER_COSTLY));
  }

  /** What a poll that failed counts as: never more than brings the longest ordinary interval. */
  static Duration ofFailed(Duration took) {
    return Durations.shorter(took, LONGEST.dividedBy(10));
  }
}
