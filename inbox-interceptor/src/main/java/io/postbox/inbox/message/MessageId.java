package io.postbox.inbox.message;

/** What was found where a delivery's id should be. */
public sealed interface MessageId {

  /**
   * An id that can be remembered.
   *
   * @param value 1 to 200 characters, none of them a control character
   */
  record Known(String value) implements MessageId {}

  /**
   * Nothing, or something that cannot be an id.
   *
   * @param reason why it cannot
   */
  record Unusable(QuarantineReason reason) implements MessageId {}

  /**
   * Nobody has looked, because a person has had the message sent for another consumer alone.
   *
   * @param consumer for whom
   */
  record OfAnother(String consumer) implements MessageId {}
}
