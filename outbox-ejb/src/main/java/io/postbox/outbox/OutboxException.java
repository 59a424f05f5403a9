package io.postbox.outbox;

import org.jspecify.annotations.Nullable;

/** The outbox could not do what it was asked; the message says what that means for the data. */
public class OutboxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what happened, to which message or table, and what to do next
   * @param cause what the database or server reported, or {@code null}
   */
  public OutboxException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
