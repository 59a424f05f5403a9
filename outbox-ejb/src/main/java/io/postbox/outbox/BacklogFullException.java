package io.postbox.outbox;

/**
 * So much waits in the outbox that it takes no more; the message was not written, and nothing else
 * was. The transaction is still usable: it may go on without the message, or roll back and be tried
 * again later.
 */
public final class BacklogFullException extends OutboxException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message which limit was reached, the present value, and the ways out
   */
  public BacklogFullException(String message) {
    super(message, null);
  }
}
