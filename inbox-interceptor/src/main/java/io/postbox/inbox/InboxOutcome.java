package io.postbox.inbox;

import java.util.Optional;

/**
 * The outcome of a message in {@link InboxGuard}. In every case the message is completed, and may
 * be acknowledged once the transaction has committed.
 *
 * @param status the outcome
 * @param value the handler's result, if it ran and returned one
 * @param result the handler's reply, set with {@link InboxContext#result} in this call or when the
 *     message was handled
 * @param <T> the handler's result
 */
public record InboxOutcome<T>(Status status, Optional<T> value, Optional<String> result) {

  /** The outcome of a message. */
  public enum Status {
    /** The handler has handled the message. */
    PROCESSED,
    /** The message is stored, to be handled later ({@link InboxGuard#capture}). */
    CAPTURED,
    /**
     * The message was captured before, or it or a later version of its aggregate was handled
     * before; the handler did not run.
     */
    SKIPPED,
    /** The message is quarantined: it has no usable id, or a known id and other content. */
    QUARANTINED,
    /** The message is parked: its handler used up its attempts, or rejected it. */
    PARKED
  }
}
