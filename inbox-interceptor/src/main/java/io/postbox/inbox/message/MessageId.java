package io.postbox.inbox.message;

/** A delivery's id, or why it has none. */
public sealed interface MessageId {

  /**
   * A valid id.
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
   * Not read, because an operator has redriven the message for another consumer only.
   *
   * @param consumer its name
   */
  record OfAnother(String consumer) implements MessageId {}
}
