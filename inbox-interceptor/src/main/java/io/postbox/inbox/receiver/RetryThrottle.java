package io.postbox.inbox.receiver;

import io.postbox.inbox.message.Delivery;
import java.util.Optional;

/**
 * Throttles messages whose retry should be delayed and that could not be resent with a delay, so
 * that the broker does not redeliver them as fast as it can. Thread-safe.
 */
public interface RetryThrottle {

  /** A message must wait from now on, and could not be resent with a delay. */
  void defer(String consumer, DelayedRetry retry);

  /**
   * Delays a deferred message until its retry is due, up to a bound. The caller should hold no
   * locks.
   *
   * @return the retry it should have been, if it was deferred, with what is left of its delay; zero
   *     once its time has come, and then it is forgotten
   */
  Optional<DelayedRetry> hold(Delivery delivery);

  /** A delivery could not be read and is redelivered at once; waits a moment. */
  void pause();
}
