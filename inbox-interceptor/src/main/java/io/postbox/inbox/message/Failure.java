package io.postbox.inbox.message;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An attempt at a message that was rolled back.
 *
 * @param consumer whose handler it was
 * @param messageId the message; of a body the key under which its failures count
 * @param attempt which try it was, from 1
 * @param kind what follows from it
 * @param pause how long the handler wants to wait, for {@link Kind#LATER}
 * @param reason up to 2,000 characters, without control characters
 * @param signature what it has in common with others of one cause
 * @param waitedFor how many rollbacks the delivery said that it had waited for: this is a later one
 * @param isOfBody whether the handler did not begin, because the body cannot be read, or cannot be
 *     copied to be kept aside
 */
public record Failure(
    String consumer,
    String messageId,
    int attempt,
    Kind kind,
    @Nullable Duration pause,
    String reason,
    String signature,
    int waitedFor,
    boolean isOfBody) {

  /** A failure of the handler. */
  public Failure(
      String consumer,
      String messageId,
      int attempt,
      Kind kind,
      @Nullable Duration pause,
      String reason,
      String signature,
      int waitedFor) {
    this(consumer, messageId, attempt, kind, pause, reason, signature, waitedFor, false);
  }

  /** What follows from a failure. The names are stored; none is longer than 10 characters. */
  public enum Kind {
    /** It counts against the handler. */
    FAILED,
    /** The handler will never have the message. */
    REJECTED,
    /** As a deadlock or a time-out: it counts for a larger budget of its own. */
    TRANSIENT,
    /** Another consumer's failure in the same transaction: it does not count at all. */
    BYSTANDER,
    /** The handler wants to see the message later: it does not count. */
    LATER;

    /** Whether one more tells all that there is to be known of those before. */
    public boolean replacesItself() {
      return this == TRANSIENT || this == BYSTANDER || this == LATER;
    }
  }
}
