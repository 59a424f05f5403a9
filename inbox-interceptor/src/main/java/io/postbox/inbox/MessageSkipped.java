package io.postbox.inbox;

import java.util.Optional;

/**
 * A delivery was acknowledged, and its handler did not run.
 *
 * @param consumer whose handler it is
 * @param messageId the message; empty for {@link Why#FOR_ANOTHER}, whose id is not looked at
 * @param eventType what it tells of
 * @param why why it was skipped
 */
public record MessageSkipped(String consumer, String messageId, Optional<String> eventType, Why why)
    implements MessageEvent {

  /** Why a delivery is skipped. */
  public enum Why {
    /** The inbox is done with its id. */
    DUPLICATE,
    /** A later version of its aggregate was handled before. */
    STALE,
    /** A person has had it sent again for another consumer, which listens there too. */
    FOR_ANOTHER
  }
}
