package io.postbox.inbox;

import java.time.Instant;

/**
 * A delivery that was rolled back, as it was recorded.
 *
 * @param consumer the name of the handler's consumer
 * @param messageId the message's id, or the key under which failures with its body count
 * @param attempt which attempt it was, from 1; a redrive begins anew
 * @param kind its class
 * @param times which failure of this kind it was for its message, from 1; a redrive begins anew
 * @param redriven whether its message was redriven since, so that it counts no longer
 * @param node the process that made the attempt: its number, its host, and an id of its own
 * @param at when it was recorded, by the database's clock
 * @param errorClass the class of the innermost exception; empty if there was none
 * @param error the error; with a {@code PayloadCipher} it is stored encrypted
 * @param frame the innermost call of the application; empty if there was none
 * @param signature the same for all errors of one cause, for {@link KeptFilter#signature}
 */
public record FailedAttempt(
    String consumer,
    String messageId,
    int attempt,
    Kind kind,
    int times,
    boolean redriven,
    String node,
    Instant at,
    String errorClass,
    String error,
    String frame,
    String signature) {

  /** The class of a failure. */
  public enum Kind {
    /** The attempt was charged. */
    FAILED,
    /** The handler rejected the message for good. */
    REJECTED,
    /** Transient, like a deadlock or a time-out: charged to a larger budget of its own. */
    TRANSIENT,
    /** Another consumer's failure in the same transaction: not charged. */
    BYSTANDER,
    /** The handler asked for a later retry: not charged. */
    LATER
  }
}
