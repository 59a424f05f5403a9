package io.postbox.outbox;

import org.jspecify.annotations.Nullable;

/** Thrown by a {@link PayloadLoader} whose source is unavailable. */
public final class PayloadUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * @param message what does not answer; never a payload
   * @param cause how that was seen, or {@code null}
   */
  public PayloadUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
