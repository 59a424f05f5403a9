package io.postbox.inbox.receiver;

import io.postbox.inbox.message.Failure;

/** Records failures, outside of the transactions in which they happened. Thread-safe. */
public interface FailureLog {

  /**
   * Notes that a handler is called with a message; {@link #ends} follows when its transaction has
   * ended.
   */
  void begins(String consumer, String messageId);

  /** Notes that the transaction has ended. If it failed, {@link #record} was called before. */
  void ends(String consumer, String messageId);

  /**
   * Queues a failure to be recorded soon; neither blocks nor throws. If it is lost, the message
   * gets an additional attempt.
   */
  void record(Failure failure);

  /**
   * Waits, up to a bound, until this node has written the failures queued for a message, and until
   * its handlers that were called with the message have ended: a broker may redeliver a message
   * before the inbox learns of the transaction's end.
   */
  void await(String consumer, String messageId);
}
