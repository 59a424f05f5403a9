package io.postbox.outbox.relay;

import io.postbox.outbox.message.StoredMessage;

/** Is called with the outcome of messages after the commit. Thread-safe; never throws. */
public interface RelayListener {
  /**
   * A transaction of this node has committed.
   *
   * @param messages how many it has enqueued to the destination
   */
  default void enqueued(String destination, int messages) {}

  /** A message was sent. */
  default void sent(StoredMessage message) {}

  /**
   * An attempt failed and was counted.
   *
   * @param attempt which one, from 1
   */
  default void attemptFailed(StoredMessage message, int attempt, String reason) {}

  /**
   * A message is a dead letter: its last attempt failed, or it expired.
   *
   * @param attempts how many have failed
   */
  default void died(StoredMessage message, int attempts, String reason) {}

  /** The relay has polled; it waits until this returns. */
  default void polled() {}
}
