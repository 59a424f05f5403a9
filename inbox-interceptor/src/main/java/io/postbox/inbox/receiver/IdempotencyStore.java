package io.postbox.inbox.receiver;

import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Failures;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.Quarantined;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The inbox's record of messages. Every call belongs to the transaction in which the delivery is
 * handled, and fails with an {@link io.postbox.inbox.InboxException} whose cause is the database's
 * error.
 */
public interface IdempotencyStore {

  /** Why an id cannot be stored, whatever the message is; empty if it can. */
  Optional<QuarantineReason> refusalOf(String consumer, String messageId);

  /**
   * Inserts a message's id, in one statement that does nothing if the id exists. Waits for another
   * transaction that inserts the same id.
   *
   * @return whether it was new
   */
  boolean insertIfAbsent(Delivery delivery, String messageId, Outcome outcome);

  /** The fingerprint that was remembered with an id; empty if there is none any more. */
  Optional<Fingerprint> fingerprintOf(String consumer, String messageId);

  /** The recorded failures of the handler with a message. */
  Failures failuresOf(String consumer, String messageId);

  /**
   * Quarantines a delivery, unless one with its id and content is quarantined already.
   *
   * @return whether there was none
   */
  boolean quarantine(Quarantined quarantined);

  /**
   * Parks a message, unless it is parked already.
   *
   * @return whether it was not
   */
  boolean park(Parked parked);

  /**
   * Locks the place of an aggregate in a consumer's order until the transaction ends.
   *
   * @param aggregate which one; its version is that of the message
   * @param firstVersion with which an aggregate begins that is not known yet
   * @return where it stands
   */
  Place lockVersion(String consumer, Aggregate aggregate, long firstVersion);

  /**
   * Whether an operator has discarded every version of the locked aggregate between the last one
   * and that of the message.
   */
  boolean allDiscarded(String consumer, Aggregate aggregate, long last);

  /**
   * Where an aggregate stands in a consumer's order.
   *
   * @param version that was handled last
   * @param isNew whether nothing was known of it
   */
  record Place(long version, boolean isNew) {}

  /**
   * Deletes a new aggregate of which no version is handled now. Senders can invent such ids, and no
   * one would ever delete them.
   */
  void forgetPlace(String consumer, Aggregate aggregate);

  /** Moves an aggregate on, which is locked, to its version. */
  void moveOn(String consumer, Aggregate aggregate);

  /**
   * Stores a handler's reply.
   *
   * @param replyTo the requested destination of the reply, if any
   */
  void keepResult(String consumer, String messageId, String result, @Nullable String replyTo);

  /** A handler's reply, if it is still stored. */
  Optional<KeptAnswer> resultOf(String consumer, String messageId);

  /**
   * A handler's reply.
   *
   * @param result the reply
   * @param replyTo the destination that the handled message requested, if any
   */
  record KeptAnswer(String result, @Nullable String replyTo) {}
}
