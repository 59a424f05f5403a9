package io.postbox.sample.events;

import io.postbox.inbox.RejectedMessageException;

/** A message of a type that its handler does not know: the inbox parks it without a retry. */
public final class UnexpectedEventException extends RejectedMessageException {
  private static final long serialVersionUID = 1L;

  /**
   * @param messageId the message's id
   * @param event its event type
   * @param expected the types that the handler knows
   */
  public UnexpectedEventException(String messageId, String event, String expected) {
    super(
        "Message %s reports %s, and its handler expects %s. Nothing was done."
            .formatted(messageId, event, expected));
  }
}
