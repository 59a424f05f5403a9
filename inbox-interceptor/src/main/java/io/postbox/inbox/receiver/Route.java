package io.postbox.inbox.receiver;

import io.postbox.inbox.ReplyRefused;

/**
 * The way back to the source of one delivery. Used once, by the thread that handles the delivery.
 * If the acknowledgement belongs to the delivery's transaction, its sends belong to it too;
 * otherwise they follow that transaction's commit and precede the acknowledgement.
 */
public interface Route {

  /** Whether a message can be resent; if not, the caller has to have it redelivered. */
  default boolean canSendRetry() {
    return false;
  }

  /**
   * Resends the message with a delay, as it was received. If the transaction in which it is sent
   * commits, the copy is delivered; if another consumer's failure rolls it back, the message itself
   * is redelivered, and its next delivery sends the copy.
   *
   * @param ifItFails is run before the exception is thrown if the copy cannot be sent, because the
   *     message is then redelivered at once
   * @throws io.postbox.inbox.InboxException if it cannot be sent
   */
  default void sendRetry(DelayedRetry retry, Runnable ifItFails) {
    throw new UnsupportedOperationException(
        "there is no route back for message " + retry.messageId());
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
