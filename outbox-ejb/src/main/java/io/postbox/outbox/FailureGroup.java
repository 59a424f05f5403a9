package io.postbox.outbox;

import java.time.Instant;
import java.util.Optional;

/**
 * The failures of one cause. Numbers are counted up to {@link #MOST_COUNTED}.
 *
 * @param signature the same for all failures of the cause, for {@link DeadLetterFilter#signature}
 * @param failures how many are recorded; of each message the first one and the last ten
 * @param first when the first recorded one was, by the database's clock
 * @param latest the last recorded one; empty if retention has deleted all, and messages are left
 * @param dead how many dead letters have it as their last error now
 * @param retrying how many messages that failed with it wait for their retry now; with an ordering
 *     key each holds its key meanwhile
 */
public record FailureGroup(
    String signature,
    long failures,
    Optional<Instant> first,
    Optional<FailedAttempt> latest,
    long dead,
    long retrying) {
  /** A number that is this large may be larger. */
  public static final int MOST_COUNTED = 10_000;
}
