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
 * What the inbox remembers. Every call belongs to the transaction in which the delivery is handled,
 * and fails with an {@link io.postbox.inbox.InboxException} whose cause is what the database said.
 */
public interface IdempotencyStore {

  /** Why an id cannot be remembered, whatever the message is; empty if it can. */
  Optional<QuarantineReason> refusalOf(String consumer, String messageId);

  /**
   * Remembers a message, in one statement that does nothing if its id is there already. Waits for
   * another transaction that is about to remember the same id.
   *
   * @return whether it was new
   */
  boolean insertIfAbsent(Delivery delivery, String messageId, Outcome outcome);

  /** The fingerprint that was remembered with an id; empty if there is none any more. */
  Optional<Fingerprint> fingerprintOf(String consumer, String messageId);

  /** How the handler has fared with a message, as far as that was recorded. */
  Failures failuresOf(String consumer, String messageId);

  /**
   * Keeps a delivery aside, unless one with its id and content is there.
   *
   * @return whether there was none
   */
  boolean quarantine(Quarantined quarantined);

  /**
   * Keeps a message aside that cannot be handled, unless it is there.
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
   * Whether a person has discarded every version of an aggregate, which is locked, between the last
   * one and that of the message.
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
   * Forgets an aggregate of which nothing was known before, and of which no version is handled now.
   * Senders make such ids up, and nobody would ever delete them.
   */
  void forgetPlace(String consumer, Aggregate aggregate);

  /** Moves an aggregate on, which is locked, to its version. */
  void moveOn(String consumer, Aggregate aggregate);

  /**
   * Keeps what a handler answered.
   *
   * @param replyTo where the answer was wanted, if anywhere
   */
  void keepResult(String consumer, String messageId, String result, @Nullable String replyTo);

  /** What a handler answered, if that is still there. */
  Optional<KeptAnswer> resultOf(String consumer, String messageId);

  /**
   * What a handler answered.
   *
   * @param result the answer
   * @param replyTo where it was wanted by the message that was handled, if anywhere
   */
  record KeptAnswer(String result, @Nullable String replyTo) {}
}
