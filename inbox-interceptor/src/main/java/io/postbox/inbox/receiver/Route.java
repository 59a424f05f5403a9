package io.postbox.inbox.receiver;

import io.postbox.inbox.ReplyRefused;
import java.time.Duration;
import java.util.Optional;

/**
 * The way back to the source of one delivery. Used once, by the thread that handles the delivery.
 * If the acknowledgement belongs to the delivery's transaction, its sends belong to it too;
 * otherwise they follow that transaction's commit and precede the acknowledgement.
 */
public interface Route {

  /**
   * Whether the message, once it is stored, can be sent to its consumer again as it was received;
   * if not, it has to wait at its source.
   */
  default boolean canBeSentAgain() {
    return false;
  }

  /**
   * Whether the inbox itself may send another copy of the stored message of which this delivery is
   * one; if not, this one has to wait at its source.
   */
  default boolean canBeHandedBack() {
    return true;
  }

  /** How long it is until the message expires; empty if it does not. */
  default Optional<Duration> timeLeft() {
    return Optional.empty();
  }

  /** Whether there is a dead queue, for messages whose body cannot be kept. */
  default boolean canForward() {
    return false;
  }

  /**
   * Sends the message to the dead queue, unchanged and without reading its body.
   *
   * @throws io.postbox.inbox.InboxException if it cannot be sent
   */
  default void forward() {
    throw new UnsupportedOperationException("there is no dead queue");
  }

  /**
   * Whether a delivery that is rolled back is redelivered at once, whatever exception is thrown.
   */
  default boolean redeliversAtOnce() {
    return false;
  }

  /**
   * Whether the source can be asked to redeliver a message later, when too many wait to be handled.
   * From any other source it is stored all the same, after a delay.
   */
  default boolean canBeRefused() {
    return false;
  }

  /** Whether a reply is requested. */
  boolean wantsReply();

  /** Whether a reply may be sent to the destination that the message's sender chose. */
  default boolean mayReply() {
    return true;
  }

  /** Why no reply may be sent there, if that is so. */
  default ReplyRefused.Why whyNoReply() {
    return ReplyRefused.Why.NOT_ALLOWED;
  }

  /**
   * Sends a reply to the requested destination, if one is requested and allowed.
   *
   * @throws io.postbox.inbox.InboxException if it cannot be sent
   */
  void reply(String result);
}
