package io.postbox.outbox;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * The outcome of a message, fired as a CDI event after its commit. Observe one of the records, or
 * this type for all of them.
 *
 * <p>The outbox fires events one after the other, on a thread of their own and outside of any
 * transaction; those of one message in the order in which they happened. It fires them on the node
 * that did the work, perhaps twice after a crash, and not at all if the node ends first or a slow
 * observer leaves too many waiting. The exception of an observer is logged and affects neither the
 * relay nor other events. CDI may then leave out other {@code @Observes} methods for that one
 * event, but not {@code @ObservesAsync} methods. Events are not stored: send a message for anything
 * that must not be missed.
 */
public sealed interface MessageEvent permits MessageSent, MessageFailed, MessageDied {

  /** The message id. */
  UUID id();

  /** The logical name of the destination. */
  String destination();

  /** The type of the event. */
  Optional<String> eventType();

  /** The ordering key. */
  Optional<String> orderingKey();

  /** How many attempts were charged. */
  int attempts();

  /** When it was enqueued, by the database's clock. */
  Instant createdAt();
}
