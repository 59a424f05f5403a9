package io.postbox.inbox.jms;

/** The names of the properties that the inbox sets on a message that it sends again. */
final class CopyProperties {
  /** How many failures of its handler the message has waited for, an int. */
  static final String ATTEMPT = "InboxAttempt";

  /** How often it came too early in the order of its aggregate, an int. */
  static final String WAITS = "InboxWaits";

  /** The id under which it is known; read where the header it came from is new on each copy. */
  static final String MESSAGE_ID = "InboxMessageId";

  /** By what whoever waits for a reply recognises it, where the message has no correlation id. */
  static final String REQUEST_ID = "InboxRequestId";

  private CopyProperties() {}
}
