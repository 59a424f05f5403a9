package io.postbox.inbox;

import java.time.Instant;
import java.util.Optional;

/**
 * The failures of one cause. Numbers are counted up to {@link #MOST_COUNTED}.
 *
 * @param signature the mark that the failures share, for {@link KeptFilter#signature}
 * @param failures how many are recorded
 * @param first when the first recorded one was, by the database's clock
 * @param latest the last recorded one; empty if retention has deleted all, and messages are parked
 * @param parked how many messages are parked with it as their error now
 */
public record FailureGroup(
    String signature,
    long failures,
    Optional<Instant> first,
    Optional<FailedAttempt> latest,
    long parked) {
  /** A number that is this large may be larger. */
  public static final int MOST_COUNTED = 10_000;
}
