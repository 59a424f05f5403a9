package io.postbox.inbox;

/**
 * What becomes of the {@code JMSReplyTo} of messages that a person has sent again, which their
 * sender has chosen. Whether an answer goes there is decided when the message is handled, by the
 * consumer's {@code reply-to}.
 */
public enum ReplyOnRedrive {
  /** It stays: whoever asked gets the answer, if the consumer's settings allow it. */
  KEEP,
  /** It is left out: nobody gets an answer. */
  DROP
}
