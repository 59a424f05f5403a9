package io.postbox.inbox.guard;

/**
 * Remembers the tries of messages that have come before, from before they begin until they have
 * ended: one that is left is that of a process that died. Thread-safe.
 */
public interface AttemptLog {
  /**
   * A try is about to begin: when this returns it is on record, committed, and the connection is
   * given back. A message that may have ended a process has its turn alone among those in this
   * process. Never throws: where nothing can be recorded the try counts for nothing.
   */
  Begun begin(String consumer, String messageId);

  /**
   * The try has ended; neither blocks nor throws.
   *
   * @param handlerEnded whether the handler ran and came to an end, whatever end: then the message
   *     is cleared of earlier crashes too
   */
  void ends(Begun begun, boolean handlerEnded);
}
