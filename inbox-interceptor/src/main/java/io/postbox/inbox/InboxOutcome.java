package io.postbox.inbox;

import java.util.Optional;

/**
 * The outcome of a message in {@link InboxGuard}. In every case the message is completed, and may
 * be acknowledged once the transaction has committed.
 *
 * @param status the outcome
 * @param value the handler's result, if it ran and returned one
 * @param result the handler's answer, as it left it with {@link InboxContext#result}, now or when
 *     the message was handled
 * @param <T> the handler's result
 */
public record InboxOutcome<T>(Status status, Optional<T> value, Optional<String> result) {

  /** The outcome of a message. */
  public enum Status {
    /** The handler has handled it. */
    PROCESSED,
    /** It was handled before, or a later version of its aggregate was; the handler did not run. */
    SKIPPED,
    /** It is kept aside: without a usable id, or with a known id and other content. */
    QUARANTINED,
    /** It is kept aside: its handler has failed with it as often as it may, or rejected it. */
    PARKED
  }
}
