package io.postbox.common.ops;

import io.postbox.common.config.Durations;
import java.time.Duration;

/**
 * How often to read a queue from its start, where the database may have to step over the index
 * entries of rows that are gone: as many as were deleted since the oldest snapshot was taken.
 */
public final class StartReads {
  /** The shortest time between two reads from the start. */
  public static final Duration SHORTEST = Duration.ofSeconds(1);

  /** The longest time between two reads from the start. */
  public static final Duration LONGEST = Duration.ofSeconds(10);

  private static final int SHARE = 20;

  private StartReads() {}

  /**
   * How long to read from a low-water mark after a read from the start: twenty times what that
   * took, within the bounds.
   */
  public static Duration pause(Duration took) {
    return Durations.shorter(LONGEST, Durations.longer(SHORTEST, took.multipliedBy(SHARE)));
  }

  /** Whether a read from the start took more than 50 ms, and must not be repeated each time. */
  public static boolean isCostly(Duration took) {
    return took.multipliedBy(SHARE).compareTo(SHORTEST) > 0;
  }
}
