package io.postbox.common.time;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the database's clock was set back: since the last look it has gone less far than the
 * node's own, which only goes forward. For one thread at a time.
 */
public final class ClockStep {
  /** More than clocks drift apart between two looks. */
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  private @Nullable Instant database;
  private @Nullable Instant node;

  /** Whether it was set back, or may have been, because nobody has looked yet. */
  public boolean mayHaveHappened(Instant databaseNow, Instant nodeNow) {
    if (database == null || node == null) {
      return true;
    }
    return Duration.between(database, databaseNow)
            .plus(TOLERANCE)
            .compareTo(Duration.between(node, nodeNow))
        < 0;
  }

  /**
   * A time that was stored as the database's clock then said, or now if it is so far ahead that the
   * clock was set back since.
   *
   * @param farthest how far ahead of the clock such a time can be stored
   */
  public static Instant unlessSetBack(Instant stored, Instant databaseNow, Duration farthest) {
    return stored.isAfter(databaseNow.plus(farthest)) ? databaseNow : stored;
  }

  /** Remembers the times of a look whose step, if there was one, has been dealt with. */
  public void dealtWith(Instant databaseNow, Instant nodeNow) {
    database = databaseNow;
    node = nodeNow;
  }
}
