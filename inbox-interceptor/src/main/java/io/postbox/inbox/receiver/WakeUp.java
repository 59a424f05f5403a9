package io.postbox.inbox.receiver;

import java.time.Duration;

/** Wakes those on this node that go on with stored messages. Thread-safe; does not block. */
public interface WakeUp {

  /** A captured message of a consumer has been committed. */
  void captured(String consumer);

  /** A stored message of a consumer has its turn after a delay. */
  void delayed(String consumer, Duration delay);

  /** A message of a consumer that has waited for its turn in the order of versions is released. */
  void released(String consumer);
}
