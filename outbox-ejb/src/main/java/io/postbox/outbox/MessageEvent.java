package io.postbox.outbox;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * The outcome of a message, fired as a CDI event after its commit. Observe one of the records, or
 * this type for all of them.
 *
 * <p>Events are news and not data. They come one after the other, on a thread of their own and in
 * no transaction; those of one message in the order in which they happened. They come on the node
 * that did the work, perhaps twice after a crash, and not at all if the node ends first or an
 * observer is so slow that too many wait. An observer that throws is logged, and neither the relay
 * nor any other event is hurt; as CDI has it, other {@code @Observes} methods may then not get that
 * one event, {@code @ObservesAsync} methods do. Send a message for anything that must not be
 * missed.
 */
public sealed interface MessageEvent permits MessageSent, MessageFailed, MessageDied {

  /** The message id. */
  UUID id();

  /** The logical name of where it goes. */
  String destination();

  /** The type of the event. */
  Optional<String> eventType();

  /** Its ordering key. */
  Optional<String> orderingKey();

  /** How many attempts were counted against it. */
  int attempts();

  /** When it was enqueued, by the database's clock. */
  Instant createdAt();
}
