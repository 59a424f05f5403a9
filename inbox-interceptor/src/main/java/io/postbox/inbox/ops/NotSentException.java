package io.postbox.inbox.ops;

import org.jspecify.annotations.Nullable;

/** A kept message cannot be sent; it stays kept. */
public final class NotSentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean atBroker;
  private final boolean reachesOthers;

  /**
   * @param reason readable, without payload
   * @param atBroker whether the cause may affect every other message too
   * @param cause the exception
   */
  public NotSentException(String reason, boolean atBroker, @Nullable Throwable cause) {
    this(reason, atBroker, false, cause);
  }

  private NotSentException(
      String reason, boolean atBroker, boolean reachesOthers, @Nullable Throwable cause) {
    super(reason, cause);
    this.atBroker = atBroker;
    this.reachesOthers = reachesOthers;
  }

  /**
   * It could be sent, but others would receive it too, so only an operator may.
   *
   * @param reason readable, without payload
   */
  public static NotSentException reachingOthers(String reason) {
    return new NotSentException(reason, false, true, null);
  }

  /** Whether the cause may affect every other message too. */
  public boolean isAtBroker() {
    return atBroker;
  }

  /** Whether others would receive it too; then a copy that was sent is as good as another one. */
  public boolean reachesOthers() {
    return reachesOthers;
  }
}
