package io.postbox.inbox;

import java.util.Optional;

/**
 * What became of a delivery, once that is certain; observe it with {@code @Observes} or
 * {@code @ObservesAsync}. Observers are called outside of any transaction, one event after the
 * other and on a thread of their own: they keep no delivery waiting, and what they throw hurts
 * none. Events are not stored: what a slow observer has not seen when the server stops is gone.
 */
public sealed interface MessageEvent
    permits MessageProcessed,
        MessageSkipped,
        MessageQuarantined,
        MessageFailed,
        MessageParked,
        ReplyRefused {

  /** The consumer. */
  String consumer();

  /** What the message tells of, where it says so. */
  Optional<String> eventType();
}
