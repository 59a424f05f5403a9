package io.postbox.inbox;

import org.jspecify.annotations.Nullable;

/** The inbox failed; the text says what that means for the delivery. */
public class InboxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message names the event, the message or table, and the next step
   * @param cause the error of the database, the broker or the server, or {@code null}
   */
  public InboxException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
