package io.postbox.inbox.receiver;

/**
 * Records attempts at redelivered messages, certain and possible ones, before they begin, and
 * deletes each record when its attempt has ended. So a record that is left belongs to a process
 * that died. Thread-safe.
 */
public interface AttemptLog {
  /**
   * Whether a delivery may be an unmarked redelivery: for a while after two unclean shutdowns of
   * the service's processes soon after each other, unless the message's id was made later. Only the
   * first call may query the database; its caller must hold no connection. Never throws.
   */
  boolean mayBeRedelivery(String messageId);

  /**
   * Records an attempt that is about to begin, commits, and returns the connection. A message that
   * may have killed a process is attempted alone among the redelivered messages in this process.
   * Never throws: an attempt that cannot be recorded does not count.
   *
   * @param isRedelivery whether the delivery is marked as a redelivery; otherwise it only may be
   *     one, and waits for no other attempt unless an earlier one at this message has not ended
   */
  RecordedAttempt begin(String consumer, String messageId, boolean isRedelivery);

  /**
   * Notes that an attempt has ended; neither blocks nor throws.
   *
   * @param handlerEnded whether the handler ran and returned or threw; then earlier crashes no
   *     longer count against the message
   */
  void ends(RecordedAttempt recorded, boolean handlerEnded);
}
