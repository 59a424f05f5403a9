package io.postbox.outbox;

import org.jspecify.annotations.Nullable;

/** A {@link PayloadLoader} throws this if its source is unavailable. */
public final class PayloadUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * @param message the unavailable source; never a payload
   * @param cause the error, or {@code null}
   */
  public PayloadUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
