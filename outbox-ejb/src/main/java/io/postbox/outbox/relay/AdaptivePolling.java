package io.postbox.outbox.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides when to poll next: after an interval that is short while there is work and doubles up to
 * a limit while there is none, and whenever a message or a probe is known to be due. Thread-safe.
 */
final class AdaptivePolling {
  static final Duration SHORTEST = Duration.ofMillis(200);
  static final Duration LONGEST = Duration.ofSeconds(10);
  private static final Duration IDLE_AT_LEAST = Duration.ofSeconds(1);
  private static final Duration PAUSED = Duration.ofSeconds(1);

  private static final Duration LONGEST_TICK = Duration.ofMillis(500);
  private static final int MOST_MOMENTS = 10_000;

  private final NavigableSet<Instant> moments = new TreeSet<>();
  private Instant afterInterval = Instant.MIN;
  private @Nullable Instant lastStart;
  private Duration interval = SHORTEST;

  /** Notes that a message or a probe is due at that moment. */
  synchronized void note(Instant moment) {
    moments.add(moment);
    if (moments.size() > MOST_MOMENTS) {
      moments.pollLast(); // the next regular poll finds it
    }
  }

  /** When to poll. */
  synchronized Instant nextPoll() {
    return moments.isEmpty() || afterInterval.isBefore(moments.first())
        ? afterInterval
        : moments.first();
  }

  /**
   * A poll begins; it finds everything that is due by now.
   *
   * @return how long ago the last one began; zero for the first
   */
  synchronized Duration pollStarted(Instant now) {
    moments.headSet(now, true).clear();
    Duration since = lastStart == null ? Duration.ZERO : Duration.between(lastStart, now);
    lastStart = now;
    return since;
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
    afterInterval = now.plus(interval);
    return interval;
  }

  /**
   * How long to wait until the next check whether a poll is due; at most a circuit breaker's first
   * wait.
   */
  static Duration tick(Duration untilNextPoll) {
    return max(SHORTEST, min(untilNextPoll, LONGEST_TICK));
  }

  /**
   * The interval after a poll.
   *
   * @param before the last one
   * @param took how long the poll took; polls take at most a tenth of the time
   * @param workAbout whether the poll found work, or a worker is busy
   * @param paused whether a destination is paused, so that a poll has to notice when it is resumed
   */
  static Duration nextInterval(Duration before, Duration took, boolean workAbout, boolean paused) {
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
