package io.postbox.common.config;

import java.time.Duration;

/** Durations in the form in which they are configured, and the shorter and longer one of two. */
public final class Durations {
  private static final String[] UNITS = {"d", "h", "m", "s", "ms"};
  private static final int[] IN_THE_ONE_BEFORE = {1, 24, 60, 60, 1_000};
  private static final int SHORT = 1_000;
  private static final long DAYS_TO_ADD_TO = 10_000;

  private Durations() {}

  /** The shorter one. */
  public static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /** The longer one. */
  public static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  /**
   * For instance {@code 500ms}, {@code 90s} or {@code 17m10s}, in whole milliseconds; as ISO-8601
   * if it is negative or shorter than a millisecond.
   */
  public static String text(Duration time) {
    if (time.isZero()) {
      return "0s";
    }
    if (time.compareTo(Duration.ofMillis(1)) < 0) {
      return time.toString();
    }
    long[] parts = {
      time.toDaysPart(),
      time.toHoursPart(),
      time.toMinutesPart(),
      time.toSecondsPart(),
      time.toMillisPart()
    };
    StringBuilder all = new StringBuilder();
    long inOneUnit = 0;
    String single = "";
    for (int i = 0; i < parts.length; i++) {
      inOneUnit = Math.min(inOneUnit, DAYS_TO_ADD_TO * 100_000) * IN_THE_ONE_BEFORE[i] + parts[i];
      if (parts[i] > 0) {
        all.append(parts[i]).append(UNITS[i]);
        single = inOneUnit < SHORT ? inOneUnit + UNITS[i] : all.toString();
      }
    }
    return single;
  }
}
