package io.postbox.inbox;

import java.util.Optional;

/**
 * A delivery was acknowledged, and its handler did not run.
 *
 * @param consumer whose handler it is
 * @param messageId the message; empty for {@link Why#FOR_ANOTHER}, whose id is not read
 * @param eventType the type of the event
 * @param why why it was skipped
 */
public record MessageSkipped(String consumer, String messageId, Optional<String> eventType, Why why)
    implements MessageEvent {

  /** Why a delivery is skipped. */
  public enum Why {
    /** Its id is recorded already. */
    DUPLICATE,
    /** A later version of its aggregate was handled before. */
    STALE,
    /** An operator has redriven it for another consumer at the same destination. */
    FOR_ANOTHER
  }
}
