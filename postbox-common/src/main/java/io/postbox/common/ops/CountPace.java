package io.postbox.common.ops;

import io.postbox.common.config.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * When to count rows: every five seconds, unless counting takes so long that it would then fill
 * more than a twentieth of the time. One count at a time. Thread-safe.
 */
public final class CountPace {
  public static final Duration SHORTEST = Duration.ofSeconds(5);
  private static final int PAUSE_PER_COUNT = 20;

  private final InstantSource clock;
  private Instant began;
  private Instant next;
  private boolean counting;

  /**
   * @param clock that of the node, which is never set back
   */
  public CountPace(InstantSource clock) {
    this.clock = clock;
    began = clock.instant();
    next = began;
  }

  /** Whether it is time; then the caller must count, and call {@link #ended} afterwards. */
  public synchronized boolean begin() {
    Instant now = clock.instant();
    if (counting || now.isBefore(next)) {
      return false;
    }
    counting = true;
    began = now;
    return true;
  }

  /** The count has ended, successfully or not. */
  public synchronized void ended() {
    next = began.plus(interval(Duration.between(began, clock.instant())));
    counting = false;
  }

  /** From the beginning of a count to that of the next, by how long it took. */
  public static Duration interval(Duration took) {
    return Durations.longer(SHORTEST, took.multipliedBy(PAUSE_PER_COUNT));
  }
}
