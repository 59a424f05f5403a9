package io.postbox.inbox;

import org.jspecify.annotations.Nullable;

/**
 * A handler throws this if it can never handle a message: the transaction rolls back, and the inbox
 * parks the message at its next delivery instead of retrying it. You may extend it.
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
