package io.postbox.outbox.server;

import io.postbox.outbox.message.Lane;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Is told of messages whose transaction has committed; never throws. Thread-safe. */
public interface AfterCommit {

  /**
   * Wakes the relay for committed messages.
   *
   * @param lanes with messages to send now
   * @param firstDelay how long until the first delayed message is due
   */
  void wake(Set<Lane> lanes, Optional<Duration> firstDelay);

  /**
   * Reports committed messages to the metrics.
   *
   * @param messages their number, by destination
   */
  void enqueued(Map<String, Integer> messages);
}
