package io.postbox.inbox;

/**
 * The source of the id by which a redelivered message is recognised. There is no fallback from one
 * to another: a delivery without the configured id is quarantined.
 */
public enum IdFrom {
  /** The property {@code OutboxMessageId}, which the outbox sets: a UUID in canonical form. */
  OUTBOX_MESSAGE_ID,

  /** The string property that {@link Inbox#property} names. */
  PROPERTY,

  /**
   * The header {@code JMSMessageID}. It recognises a message that the broker redelivers. It does
   * <em>not</em> recognise a message that a producer resends: that one has a new {@code
   * JMSMessageID}.
   */
  JMS_MESSAGE_ID,

  /** The result of the {@link MessageIdResolver} that {@link Inbox#resolver} names. */
  RESOLVER
}
