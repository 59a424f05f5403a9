package io.postbox.inbox.jms;

import java.util.List;

/**
 * The names of the properties that the inbox sets on a copy of a stored message. On a received
 * message they have no effect without a proof, see {@link Proofs}.
 */
final class CopyProperties {
  /** How many failures of its handler the message has waited for, an int. */
  static final String ATTEMPT = "InboxAttempt";

  /**
   * The JMSMessageID of its first delivery, or the id that a redrive gave it instead, for consumers
   * that identify messages by that header: each copy has a new one. Other consumers find their ids
   * in its properties or its body.
   */
  static final String MESSAGE_ID = "InboxMessageId";

  /** The id by which the requester recognises a reply, if the message has no correlation id. */
  static final String REQUEST_ID = "InboxRequestId";

  /** Whether a reply may be sent to the destination that the message's sender chose, a boolean. */
  static final String MAY_REPLY = "InboxMayReply";

  /**
   * The only consumer for which an operator has redriven the message; other consumers at that
   * destination skip it. Its copies have this property too.
   */
  static final String ONLY_FOR = "InboxOnlyFor";

  /** The stored row of which this is a copy, and its generation: two numbers with a dot between. */
  static final String STORED = "InboxStored";

  /** The proof that this service has set the other properties. */
  static final String PROOF = "InboxProof";

  /** The properties without effect unless proven, in the order in which the proof covers them. */
  static final List<String> CONTROL =
      List.of(ONLY_FOR, STORED, ATTEMPT, MESSAGE_ID, REQUEST_ID, MAY_REPLY);

  private CopyProperties() {}
}
