package io.postbox.inbox.message;

import io.postbox.common.log.RecordedError;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An attempt at a message that was rolled back.
 *
 * @param consumer the handler's consumer
 * @param messageId the message's id, or the key under which failures with its body count
 * @param attempt the number of the attempt, from 1
 * @param kind its class
 * @param pause the delay that the handler asked for, for {@link Kind#LATER}
 * @param error its text up to 2,000 characters, without control characters
 * @param waitedFor how many earlier rollbacks the delivery had waited for
 * @param isOfBody whether the handler was not called, because the body cannot be read, or cannot be
 *     copied to be kept aside
 * @param subject the aggregate that the message concerns, if known
 * @param dataSubject the digest of whom it is about, if its sender said
 */
public record Failure(
    String consumer,
    String messageId,
    int attempt,
    Kind kind,
    @Nullable Duration pause,
    RecordedError error,
    int waitedFor,
    boolean isOfBody,
    @Nullable Subject subject,
    @Nullable String dataSubject) {

  /** A failure with a message of which nothing else is known. */
  public Failure(
      String consumer,
      String messageId,
      int attempt,
      Kind kind,
      @Nullable Duration pause,
      RecordedError error,
      int waitedFor,
      boolean isOfBody) {
    this(consumer, messageId, attempt, kind, pause, error, waitedFor, isOfBody, null, null);
  }

  /** The text of the error. */
  public String reason() {
    return error.text();
  }

  /** The class of a failure. The names are stored; none is longer than 10 characters. */
  public enum Kind {
    /** The attempt is charged. */
    FAILED,
    /** The handler rejects the message for good. */
    REJECTED,
    /** Transient, like a deadlock or a time-out: charged to a larger budget of its own. */
    TRANSIENT,
    /** Another consumer's failure in the same transaction: not charged. */
    BYSTANDER,
    /** The handler asked for a later retry: not charged. */
    LATER;

    /** Whether a new failure of this kind replaces the one before in the record. */
    public boolean replacesItself() {
      return this == TRANSIENT || this == BYSTANDER || this == LATER;
    }
  }
}
