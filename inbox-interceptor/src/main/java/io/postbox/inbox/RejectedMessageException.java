package io.postbox.inbox;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler that will never be able to handle a message, whatever time it gets: the
 * transaction rolls back, and the message is parked at its next delivery instead of being tried
 * again. Extend it where that reads better.
 */
public class RejectedMessageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message why, for the person who looks at the parked message; never its payload
   */
  public RejectedMessageException(String message) {
    super(message);
  }

  /**
   * @param message why, for the person who looks at the parked message; never its payload
   * @param cause the error, or {@code null}
   */
  public RejectedMessageException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
