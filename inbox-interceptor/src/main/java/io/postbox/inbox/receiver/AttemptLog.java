package io.postbox.inbox.receiver;

/**
 * Remembers the tries of messages that have come before, or may have, from before they begin until
 * they have ended: one that is left is that of a process that died. Thread-safe.
 */
public interface AttemptLog {
  /**
   * Whether any delivery may be an unmarked redelivery: for a while after a process of the service
   * has ended without an orderly stop. Asks the database with the first call at most, which must
   * hold no connection. Never throws.
   */
  boolean mayBeRedelivery();

  /**
   * A try is about to begin: when this returns it is on record, committed, and the connection is
   * given back. A message that may have killed a process is attempted alone among those in this
   * process. Never throws: where nothing can be recorded the try counts for nothing.
   *
   * @param isRedelivery whether it is marked as one; otherwise it only may be one, and waits for no
   *     other unless an earlier attempt has not ended
   */
  RecordedAttempt begin(String consumer, String messageId, boolean isRedelivery);

  /**
   * The try has ended; neither blocks nor throws.
   *
   * @param handlerEnded whether the handler ran and came to an end, whatever end: then the message
   *     is cleared of earlier crashes too
   */
  void ends(RecordedAttempt recorded, boolean handlerEnded);
}
