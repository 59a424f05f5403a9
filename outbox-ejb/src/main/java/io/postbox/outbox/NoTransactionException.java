package io.postbox.outbox;

/** There is no usable transaction for a message; nothing was written. */
public final class NoTransactionException extends OutboxException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message why there is none, and how to get one
   */
  public NoTransactionException(String message) {
    super(message, null);
  }
}
