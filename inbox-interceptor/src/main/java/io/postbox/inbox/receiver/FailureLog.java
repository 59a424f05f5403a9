package io.postbox.inbox.receiver;

import io.postbox.inbox.message.Failure;

/** Records failures, outside of the transactions in which they happened. Thread-safe. */
public interface FailureLog {

  /** A handler begins with a message; {@link #ends} follows when its transaction has ended. */
  void begins(String consumer, String messageId);

  /** The transaction has ended, and a failure was recorded before if it was one. */
  void ends(String consumer, String messageId);

  /**
   * Takes a failure to be recorded soon; neither blocks nor throws. A lost one costs an additional
   * attempt.
   */
  void record(Failure failure);

  /**
   * Waits, up to a bound, until the failures recorded here for a message are written and the
   * handlers that began with it here have ended: a broker may redeliver a message before the inbox
   * learns of the transaction's end.
   */
  void await(String consumer, String messageId);
}
