package io.postbox.inbox.guard;

import io.postbox.inbox.message.Failure;

/** Writes failures down, outside of the transactions in which they happened. Thread-safe. */
public interface FailureLog {

  /**
   * Takes a failure to be written soon; neither blocks nor throws. One that is lost costs a try.
   */
  void record(Failure failure);

  /** Waits, up to a bound, until what was taken here about a message is written. */
  void await(String consumer, String messageId);
}
