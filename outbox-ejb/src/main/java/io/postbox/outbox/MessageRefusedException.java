package io.postbox.outbox;

import org.jspecify.annotations.Nullable;

/** A message cannot be stored or sent as it is; it was not written. */
public final class MessageRefusedException extends OutboxException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message which part of which message is refused, its value or size, and the bound
   */
  public MessageRefusedException(String message) {
    this(message, null);
  }

  /**
   * @param message which part of which message is refused, its value or size, and the bound
   * @param cause the error that refused it, or {@code null}
   */
  public MessageRefusedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
