package io.postbox.inbox.ops;

import org.jspecify.annotations.Nullable;

/** A kept message cannot be sent; it stays where it is. */
public final class NotSentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean atBroker;

  /**
   * @param reason readable, without payload
   * @param atBroker whether the same may be so with every other message
   * @param cause what was met
   */
  public NotSentException(String reason, boolean atBroker, @Nullable Throwable cause) {
    super(reason, cause);
    this.atBroker = atBroker;
  }

  /** Whether the same may be so with every other message. */
  boolean isAtBroker() {
    return atBroker;
  }
}
