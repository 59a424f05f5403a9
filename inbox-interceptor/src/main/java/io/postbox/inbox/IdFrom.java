package io.postbox.inbox;

/**
 * Where the id is read by which a message is recognised when it is redelivered. There is no
 * fall-back from one to another: a delivery without the id that was asked for is quarantined.
 */
public enum IdFrom {
  /** The property {@code OutboxMessageId}, which the outbox sets: a UUID in canonical form. */
  OUTBOX_MESSAGE_ID,

  /** The string property that {@link Inbox#property} names. */
  PROPERTY,

  /**
   * The header {@code JMSMessageID}. It recognises what the broker delivers again. It does
   * <em>not</em> recognise what a producer sends again: that has a new {@code JMSMessageID}.
   */
  JMS_MESSAGE_ID,

  /** What the {@link MessageIdResolver} finds that {@link Inbox#resolver} names. */
  RESOLVER
}
