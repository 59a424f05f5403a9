package io.postbox.inbox;

import java.util.Optional;

/**
 * A message was handled, or recognised as a duplicate, and its answer was not sent to where its
 * sender wants it. The answer stays in {@code inbox_result}.
 *
 * @param consumer whose handler answered
 * @param messageId the message
 * @param eventType the type of the event
 * @param replyTo where its sender wants the answer, {@code queue:NAME} or {@code topic:NAME}; empty
 *     if that cannot be read, or has more than 500 characters
 * @param why why it was not sent
 */
public record ReplyRefused(
    String consumer,
    String messageId,
    Optional<String> eventType,
    Optional<String> replyTo,
    Why why)
    implements MessageEvent {

  /** Why an answer is not sent. */
  public enum Why {
    /** The consumer's {@code reply-to} does not allow that destination. */
    NOT_ALLOWED,
    /** It is a duplicate, and the message that was handled asked for the answer elsewhere. */
    ANOTHER_THAN_RECORDED
  }
}
