package io.postbox.inbox.jms;

import java.util.List;

/**
 * The names of the properties that the inbox sets on a message that it or a person sends again. A
 * received message is believed to have them only with a proof, see {@link Proofs}.
 */
final class CopyProperties {
  /** How many failures of its handler the message has waited for, an int. */
  static final String ATTEMPT = "InboxAttempt";

  /** How often it came too early in the order of its aggregate, an int. */
  static final String WAITS = "InboxWaits";

  /**
   * The JMSMessageID that it first came with, or what a redrive gave it in place of that, for those
   * consumers that know messages by it: the header is a new one on each copy. What other consumers
   * know it by is among its properties or in its body, whoever of them has sent it again.
   */
  static final String MESSAGE_ID = "InboxMessageId";

  /** By what whoever waits for a reply recognises it, where the message has no correlation id. */
  static final String REQUEST_ID = "InboxRequestId";

  /**
   * The one consumer for whom a person has it sent, of all that listen where it goes; no others
   * take it. Its copies have it too.
   */
  static final String ONLY_FOR = "InboxOnlyFor";

  /** That this service has set the others. */
  static final String PROOF = "InboxProof";

  /** Those that mean nothing without a proof, in the order in which it is made over them. */
  static final List<String> CONTROL = List.of(ONLY_FOR, ATTEMPT, WAITS, MESSAGE_ID, REQUEST_ID);

  private CopyProperties() {}
}
