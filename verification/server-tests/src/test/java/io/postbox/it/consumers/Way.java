package io.postbox.it.consumers;

/** By which bean a message is handled whose listener is in no transaction. */
public enum Way {
  /** An enterprise bean, whose container begins the transaction. */
  SESSION_BEAN,
  /** The same, with a new one in any case. */
  NEW_OF_SESSION_BEAN,
  /** A bean with {@code @Transactional}. */
  REQUIRED,
  /** The same, with a new transaction in any case. */
  REQUIRES_NEW,
  /** The same, where the inbox begins it. */
  NOT_SUPPORTED,
  /** The same. */
  NEVER,
  /** The same, as there is none of the caller's. */
  SUPPORTS,
  /** A bean with {@code @Transactional} and with an interceptor that marks the transaction last. */
  MARKED_LATE,
  /** {@code InboxGuard} in the transaction of an enterprise bean. */
  GUARD;

  /** The name of its consumer. */
  public String consumer() {
    return "quiet-" + name();
  }
}
