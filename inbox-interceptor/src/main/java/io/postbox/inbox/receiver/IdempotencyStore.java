package io.postbox.inbox.receiver;

import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.DelayedRetry;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Failures;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.Quarantined;
import io.postbox.inbox.message.Standing;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The inbox's record of messages. Every call belongs to the transaction in which the delivery is
 * handled, and fails with an {@link io.postbox.inbox.InboxException} whose cause is the database's
 * error.
 */
public interface IdempotencyStore {

  /** Why an id cannot be stored, independent of the message; empty if it can. */
  Optional<QuarantineReason> refusalOf(String consumer, String messageId);

  /**
   * Inserts a message's id, in one statement that does nothing if the id exists. Waits for another
   * transaction that inserts the same id.
   *
   * @return whether it was new
   */
  boolean insertIfAbsent(Delivery delivery, String messageId, Outcome outcome);

  /** The fingerprint that is stored with an id; empty if the row is gone. */
  Optional<Fingerprint> fingerprintOf(String consumer, String messageId);

  /** The recorded failures of the handler with a message. */
  Failures failuresOf(String consumer, String messageId);

  /** Whose the row is of which a delivery is a copy. */
  enum Claim {
    /** It is locked until the transaction ends, and stays until the message is done. */
    OWN,
    /** It was another consumer's, which is not here any more; this transaction has deleted it. */
    TAKEN_OVER,
    /**
     * Nobody's: the message is done or kept aside, has another copy, or another transaction works
     * on it.
     */
    NONE
  }

  /** Claims the row of which a delivery is a copy. */
  Claim claim(Delivery delivery);

  /** Deletes the claimed row of a message that is done. */
  void delete(Delivery delivery);

  /**
   * Has a message handled after a delay: from its row, or from a new one.
   *
   * @param mayReply whether a reply may be sent to the destination that its sender chose
   * @return empty if it was stored now or has its row; else the fingerprint of the message with its
   *     id that is stored
   */
  Optional<Fingerprint> delay(Delivery delivery, DelayedRetry retry, boolean mayReply);

  /**
   * Quarantines a delivery, unless one with its id and content is quarantined already.
   *
   * @return whether it was quarantined now
   */
  boolean quarantine(Quarantined quarantined);

  /**
   * Parks a message, or has it wait for the versions before it, unless one with its id is stored.
   *
   * @param mayReply whether a reply may be sent to the destination that its sender chose
   * @return empty if it was stored now; else the fingerprint of the message that is stored
   */
  Optional<Fingerprint> park(Parked parked, boolean mayReply);

  /**
   * Locks the place of an aggregate in a consumer's order until the transaction ends.
   *
   * @param aggregate which one; its version is that of the message
   * @param first the version with which the aggregate begins if it is not known yet
   * @return its place
   */
  Standing lockVersion(String consumer, Aggregate aggregate, long first);

  /**
   * Whether an operator has discarded every version of the locked aggregate between the last one
   * and that of the message.
   */
  boolean allDiscarded(String consumer, Aggregate aggregate, long last);

  /** Whether an operator has discarded this version of the locked aggregate, or skipped it. */
  boolean isDiscarded(String consumer, Aggregate aggregate);

  /**
   * Deletes the row of a new aggregate of which no version is handled now. Senders can invent such
   * ids, and nothing else would ever delete the rows.
   */
  void forgetPlace(String consumer, Aggregate aggregate);

  /** Records the version of a locked aggregate, for which none waits, as its last handled one. */
  void moveOn(String consumer, Aggregate aggregate);

  /**
   * Records the version of a locked aggregate as its last handled one, and releases the next one,
   * if it waits.
   *
   * @return whether a message was released
   */
  boolean moveOnAndRelease(String consumer, Aggregate aggregate);

  /** Notes of a locked aggregate that one of its versions is about to wait for those before it. */
  void await(String consumer, Aggregate aggregate);

  /**
   * The fingerprint of a message with this id that waits for the versions before it; empty if there
   * is none.
   */
  Optional<Fingerprint> fingerprintOfWaiting(String consumer, String messageId);

  /**
   * Stores the reply of a handler, whose message this transaction has inserted, in place of the one
   * of an earlier use of its id, if that is still stored.
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

  /**
   * Stores a message whose id this transaction has inserted, to be handled later.
   *
   * @param mayReply whether a reply may be sent to the destination that its sender chose
   * @return empty if it was not stored yet; else the fingerprint of the message that is stored
   */
  Optional<Fingerprint> capture(Delivery delivery, String messageId, boolean mayReply);
}
