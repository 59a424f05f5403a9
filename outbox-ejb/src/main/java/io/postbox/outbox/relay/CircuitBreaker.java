package io.postbox.outbox.relay;

import io.postbox.common.config.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The circuit to one destination after a failure; a destination that has none is {@link
 * State#CLOSED}. Immutable.
 *
 * @param since when it opened
 * @param failures how many batches or probes have failed in a row
 * @param probeAt when the circuit is half-open, so that one message may test the destination
 * @param probe that message, while it is on its way
 * @param reason the last failure
 */
record CircuitBreaker(
    Instant since, int failures, Instant probeAt, @Nullable UUID probe, String reason) {
  private static final Backoff WAITS = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(10));

  /** The state of a circuit. */
  enum State {
    /** All messages may be sent. */
    CLOSED,
    /** No message may be sent. */
    OPEN,
    /** One message at a time may be sent, as a probe. */
    HALF_OPEN
  }

  static CircuitBreaker open(Instant now, String reason) {
    return new CircuitBreaker(now, 1, now.plus(WAITS.ceiling(1)), null, reason);
  }

  State state(Instant now) {
    return now.isBefore(probeAt) ? State.OPEN : State.HALF_OPEN;
  }

  /** Whether a probe may go now. */
  boolean isPermitted(Instant now) {
    return state(now) == State.HALF_OPEN && probe == null;
  }

  /** Whether a message that failed alone before may be the probe: others go first. */
  boolean permitsSuspects(Instant now) {
    return isPermitted(now) && !now.isBefore(suspectsProbeAt());
  }

  Instant suspectsProbeAt() {
    return probeAt.plus(WAITS.ceiling(failures));
  }

  CircuitBreaker acquiredBy(UUID message) {
    return new CircuitBreaker(since, failures, probeAt, message, reason);
  }

  /** Ends the probe, if this message is the one. */
  CircuitBreaker releasedBy(UUID message) {
    return message.equals(probe)
        ? new CircuitBreaker(since, failures, probeAt, null, reason)
        : this;
  }

  CircuitBreaker failedAgain(Instant now, String why) {
    return new CircuitBreaker(
        since, failures + 1, now.plus(WAITS.ceiling(failures + 1)), probe, why);
  }
}
