package io.postbox.inbox.ops;

import io.postbox.inbox.receiver.Limits.Used;
import java.time.Duration;

/**
 * How many captured messages of a consumer are not handled yet.
 *
 * @param pending those that may be handled now, or are being handled
 * @param delayed those that may be handled later
 * @param held those behind another one with their ordering key
 * @param oldest how long ago the oldest of the first three was captured; zero if there is none
 * @param bytes the size of the first three
 * @param isPaused whether an operator has paused the consumer
 */
public record CapturedCount(
    long pending, long delayed, long held, Duration oldest, long bytes, boolean isPaused) {
  /** None. */
  public static final CapturedCount NOTHING = new CapturedCount(0, 0, 0, Duration.ZERO, 0, false);

  /** Those that the workers have still to handle. */
  public Used backlog() {
    return new Used(pending + delayed + held, bytes);
  }

  CapturedCount plus(CapturedCount other) {
    return new CapturedCount(
        pending + other.pending,
        delayed + other.delayed,
        held + other.held,
        oldest.compareTo(other.oldest) > 0 ? oldest : other.oldest,
        bytes + other.bytes,
        isPaused || other.isPaused);
  }
}
