package io.postbox.inbox;

/** When a consumer's messages are handled. */
public enum InboxMode {
  /** By the annotated method, in the transaction of the delivery. */
  HANDLE,
  /**
   * Later: the delivery stores the message in the inbox's database and is acknowledged when that
   * has committed. The inbox's own workers then call the method with {@link InboxHandler} for this
   * consumer, each time in a transaction of its own. The annotated method itself does not run.
   */
  CAPTURE
}
