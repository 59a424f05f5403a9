package io.postbox.inbox.receiver;

/**
 * The way back to where one delivery came from. Used by the thread that handles the delivery, once.
 * Where the acknowledgement belongs to the delivery's transaction, what is sent belongs to it too;
 * elsewhere it is sent when that transaction has committed, and before the message is acknowledged.
 */
public interface Route {

  /** Whether a message can be resent; if not, its deliverer has to redeliver it. */
  default boolean canSendRetry() {
    return false;
  }

  /**
   * Resends the message with a delay, as it was received. If the transaction in which it is sent
   * commits, the copy is delivered; if another consumer's failure rolls it back, the message itself
   * is redelivered, and its next delivery sends the copy.
   *
   * @param ifItFails run if it cannot be sent, before that is thrown: the message is back at once
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
   * Sends the message to the dead queue, unchanged: its body is not read.
   *
   * @throws io.postbox.inbox.InboxException if it cannot be sent
   */
  default void forward() {
    throw new UnsupportedOperationException("there is no dead queue");
  }

  /** Whether a delivery that is rolled back is redelivered at once, whatever is thrown. */
  default boolean redeliversAtOnce() {
    return false;
  }

  /** Whether a reply is requested. */
  boolean wantsReply();

  /** Whether a reply may be sent to the destination that the message's sender chose. */
  default boolean mayReply() {
    return true;
  }

  /**
   * Sends a reply to the requested destination, if one is requested and allowed.
   *
   * @throws io.postbox.inbox.InboxException if it cannot be sent
   */
  void reply(String result);
}
