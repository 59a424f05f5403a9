package io.postbox.inbox.ops;

import java.time.Duration;

/**
 * How many captured messages of a consumer are not handled yet.
 *
 * @param pending those that may be handled now, or are being handled
 * @param delayed those that may be handled later
 * @param held those behind another one with their ordering key
 * @param parked those whose content is parked
 * @param oldest how long ago the oldest of the first three was captured; zero if there is none
 * @param isPaused whether an operator has paused the consumer
 */
public record CapturedCount(
    long pending, long delayed, long held, long parked, Duration oldest, boolean isPaused) {
  /** None. */
  public static final CapturedCount NOTHING = new CapturedCount(0, 0, 0, 0, Duration.ZERO);

  /** Those of a consumer that is not paused. */
  public CapturedCount(long pending, long delayed, long held, long parked, Duration oldest) {
    this(pending, delayed, held, parked, oldest, false);
  }

  /** Those that the workers have still to handle. */
  public long backlog() {
    return pending + delayed + held;
  }

  CapturedCount plus(CapturedCount other) {
    return new CapturedCount(
        pending + other.pending,
        delayed + other.delayed,
        held + other.held,
        parked + other.parked,
        oldest.compareTo(other.oldest) > 0 ? oldest : other.oldest,
        isPaused || other.isPaused);
  }
}
