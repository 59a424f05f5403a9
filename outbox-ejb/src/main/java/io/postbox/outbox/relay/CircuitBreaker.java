package io.postbox.outbox.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An open circuit to one destination; a destination without one is in order. Immutable.
 *
 * @param failures how many batches or probes have failed in a row
 * @param probeAt from when on one message may test whether the destination works again
 * @param probe that message, while it is on its way
 * @param reason the last failure
 */
record CircuitBreaker(int failures, Instant probeAt, @Nullable UUID probe, String reason) {
  private static final Duration FIRST_WAIT = Duration.ofMillis(500);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  static CircuitBreaker opened(Instant now, String reason) {
    return new CircuitBreaker(1, now.plus(wait(1)), null, reason);
  }

  /** Whether no message may go now, not even a probe. */
  boolean blocks(Instant now) {
    return probe != null || now.isBefore(probeAt);
  }

  /** Whether a message that failed alone before may not be the probe: others go first. */
  boolean blocksSuspects(Instant now) {
    return blocks(now) || now.isBefore(suspectsProbeAt());
  }

  Instant suspectsProbeAt() {
    return probeAt.plus(wait(failures));
  }

  CircuitBreaker probedWith(UUID message) {
    return new CircuitBreaker(failures, probeAt, message, reason);
  }

  /** The probe is over, if this message is the one. */
  CircuitBreaker unprobed(UUID message) {
    return message.equals(probe) ? new CircuitBreaker(failures, probeAt, null, reason) : this;
  }

  CircuitBreaker failedAgain(Instant now, String why) {
    return new CircuitBreaker(failures + 1, now.plus(wait(failures + 1)), probe, why);
  }

  private static Duration wait(int failures) {
    Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(failures - 1, 10));
    return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
  }
}
