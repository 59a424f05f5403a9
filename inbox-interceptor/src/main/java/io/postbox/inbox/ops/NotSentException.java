package io.postbox.inbox.ops;

import org.jspecify.annotations.Nullable;

/** A kept message cannot be sent; it stays kept. */
public final class NotSentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean atBroker;

  /**
   * @param reason readable, without payload
   * @param atBroker whether the cause may affect every other message too
   * @param cause the exception
   */
  public NotSentException(String reason, boolean atBroker, @Nullable Throwable cause) {
    super(reason, cause);
    this.atBroker = atBroker;
  }

  /** Whether the cause may affect every other message too. */
  public boolean isAtBroker() {
    return atBroker;
  }
}
