package io.postbox.inbox;

/**
 * Whether redriven messages keep the {@code JMSReplyTo} that their sender has chosen. When such a
 * message is handled, the consumer's {@code reply-to} decides whether a reply is sent there.
 */
public enum ReplyOnRedrive {
  /** Keeps it: the requester gets the reply, if the consumer's settings allow it. */
  KEEP,
  /** Drops it: no reply is sent. */
  DROP
}
