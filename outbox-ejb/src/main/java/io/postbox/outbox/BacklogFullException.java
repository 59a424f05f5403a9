package io.postbox.outbox;

/**
 * The backlog has reached a hard limit, so the outbox refuses messages; nothing was written. The
 * transaction is still usable: it may go on without the message, or roll back and be retried later.
 */
public final class BacklogFullException extends OutboxException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the limit, the present value, and the remedies
   */
  public BacklogFullException(String message) {
    super(message, null);
  }
}
