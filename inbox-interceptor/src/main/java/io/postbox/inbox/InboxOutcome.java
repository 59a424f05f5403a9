package io.postbox.inbox;

import java.util.Optional;

/**
 * What {@link InboxGuard} made of a message. In every case the message is done with, and may be
 * acknowledged once the transaction has committed.
 *
 * @param status what it was
 * @param value what the handler returned, if it ran and returned something
 * @param result the handler's answer, as it left it with {@link InboxContext#result}, now or when
 *     the message was handled
 * @param <T> what the handler returns
 */
public record InboxOutcome<T>(Status status, Optional<T> value, Optional<String> result) {

  /** What became of a message. */
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
