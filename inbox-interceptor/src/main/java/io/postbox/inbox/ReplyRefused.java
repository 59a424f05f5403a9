package io.postbox.inbox;

import java.util.Optional;

/**
 * A message was handled, or recognised as a duplicate, but the reply was not sent to the
 * destination that its sender requested. The reply stays in {@code inbox_result}.
 *
 * @param consumer the consumer's name
 * @param messageId the message's id
 * @param eventType the type of the event
 * @param replyTo the requested destination, {@code queue:NAME} or {@code topic:NAME}; empty if it
 *     cannot be read or has more than 500 characters
 * @param why why the reply was not sent
 */
public record ReplyRefused(
    String consumer,
    String messageId,
    Optional<String> eventType,
    Optional<String> replyTo,
    Why why)
    implements MessageEvent {

  /** Why a reply is not sent. */
  public enum Why {
    /** The consumer's {@code reply-to} does not allow that destination. */
    NOT_ALLOWED,
    /**
     * The message came from another JMS provider than the consumer's connection factory, whose
     * broker does not have that destination. Of a captured message {@link #NOT_ALLOWED} says it.
     */
    ANOTHER_PROVIDER,
    /** The message is a duplicate, and the handled message requested another destination. */
    ANOTHER_THAN_RECORDED
  }
}
