package io.postbox.inbox.receiver;

import io.postbox.inbox.message.DelayedRetry;
import io.postbox.inbox.message.Delivery;
import java.util.Optional;

/**
 * Throttles messages whose retry should be delayed and that could not be stored until it, so that
 * the broker does not redeliver them as fast as it can. Thread-safe.
 */
public interface RetryThrottle {

  /** Defers a message that could not be stored until its retry. */
  void defer(String consumer, DelayedRetry retry);

  /**
   * Delays a deferred message until its retry is due, up to a bound. The caller should hold no
   * locks.
   *
   * @return the retry of a deferred message with the rest of its delay; once the delay is zero, the
   *     message is forgotten
   */
  Optional<DelayedRetry> hold(Delivery delivery);

  /**
   * Waits a moment, because a delivery could not be read and is redelivered at once, or because
   * messages are captured faster than they are handled.
   */
  void pause();
}
