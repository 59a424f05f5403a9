package io.postbox.inbox.message;

/** A delivery's id, or the reason why it has none. */
public sealed interface MessageId {

  /**
   * A valid id.
   *
   * @param value 1 to 200 characters, none of them a control character
   */
  record Known(String value) implements MessageId {}

  /**
   * A missing or invalid id.
   *
   * @param reason why it is not usable
   */
  record Unusable(QuarantineReason reason) implements MessageId {}

  /**
   * An id that was not read, because an operator has redriven the message for another consumer
   * only.
   *
   * @param consumer that consumer's name
   */
  record OfAnother(String consumer) implements MessageId {}
}
