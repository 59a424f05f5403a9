package io.postbox.outbox.relay;

import java.time.Duration;

/** Hears what becomes of messages, after it was committed. Thread-safe; never throws. */
public interface RelayListener {

  /** A message was handed over, so long after it was enqueued. */
  void relayed(String destination, Duration waited);

  /** An attempt was counted. */
  void attemptFailed(String destination);

  /** The relay has looked for work; it may wait until this returns. */
  void looked();
}
