package io.postbox.inbox;

import java.util.Optional;

/**
 * The outcome of a delivery, once it is certain; observe it with {@code @Observes} or
 * {@code @ObservesAsync}. The inbox calls observers outside of any transaction, one event after the
 * other, on a thread of their own: they delay no delivery, and their exceptions affect none. Events
 * are not stored: those that a slow observer has not received when the server stops are lost.
 */
public sealed interface MessageEvent
    permits MessageProcessed,
        MessageCaptured,
        MessageBuffered,
        MessageSkipped,
        MessageQuarantined,
        MessageFailed,
        MessageParked,
        ReplyRefused {

  /** The consumer. */
  String consumer();

  /** The type of the event, if the message has one. */
  Optional<String> eventType();
}
