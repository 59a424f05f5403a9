package io.postbox.inbox;

import java.util.Optional;

/**
 * A delivery was acknowledged, and its handler did not run.
 *
 * @param consumer the consumer's name
 * @param messageId the message's id; empty for {@link Why#FOR_ANOTHER}, where the inbox does not
 *     read it
 * @param eventType the type of the event
 * @param why why it was skipped
 */
public record MessageSkipped(String consumer, String messageId, Optional<String> eventType, Why why)
    implements MessageEvent {

  /** Why a delivery is skipped. */
  public enum Why {
    /** The message's id is recorded already. */
    DUPLICATE,
    /** A later version of the aggregate was handled before. */
    STALE,
    /** An operator has redriven the message for another consumer at the same destination. */
    FOR_ANOTHER
  }
}
