package io.postbox.inbox.receiver;

import io.postbox.inbox.MessageEvent;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt ends if its transaction commits.
 *
 * @param returned the handler's return value, if it ran
 * @param event the message's outcome; {@code null} if it is retried later
 * @param announced the event that listeners receive, if any
 * @param onCommit runs once the transaction has committed, such as a line in the log
 */
record Completion(
    @Nullable Object returned,
    @Nullable MessageEvent event,
    @Nullable MessageEvent announced,
    Runnable onCommit) {
  static final Runnable NOTHING = () -> {};

  /** The message is retried later. */
  static Completion delayed(Runnable onCommit) {
    return new Completion(null, null, null, onCommit);
  }

  /** The handler did not run. */
  static Completion of(MessageEvent event, Runnable onCommit) {
    return new Completion(null, event, event, onCommit);
  }

  /** The handler has returned. */
  static Completion handled(@Nullable Object returned, MessageEvent event, Runnable onCommit) {
    return new Completion(returned, event, event, onCommit);
  }

  DeliveryResult result() {
    return new DeliveryResult(returned, event);
  }
}
