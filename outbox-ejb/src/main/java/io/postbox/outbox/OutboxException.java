package io.postbox.outbox;

import org.jspecify.annotations.Nullable;

/** A call to the outbox failed; the message says what that means for the data. */
public class OutboxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the error, the message or table that it concerns, and the next step
   * @param cause the error of the database or server, or {@code null}
   */
  public OutboxException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
