package io.postbox.outbox;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The life of one message, as far as rows are kept.
 *
 * @param id the message's id
 * @param message the message; empty if no row is kept
 * @param heldKey the message's ordering key, if it is held: by this message, or by the one for
 *     which it waits
 * @param events in order of time
 * @param note the part that is not known, and why, if no row of the message is kept
 */
public record MessageLife(
    UUID id,
    Optional<FoundMessage> message,
    Optional<HeldOrderingKey> heldKey,
    List<Event> events,
    Optional<String> note) {

  /** Keeps a copy. */
  public MessageLife {
    events = List.copyOf(events);
  }

  /**
   * A past or coming event of the message.
   *
   * @param at when, by the database's clock
   * @param kind its kind
   * @param other the other message, for {@link Kind#HELD}
   * @param failure the recorded failure, for {@link Kind#FAILED} and {@link Kind#DIED}
   */
  public record Event(
      Instant at, Kind kind, Optional<UUID> other, Optional<FailedAttempt> failure) {}

  /** The kind of an event. */
  public enum Kind {
    /** A transaction enqueued it. */
    ENQUEUED,
    /** An attempt to send it failed and was charged. */
    FAILED,
    /** It became a dead letter. */
    DIED,
    /** It has waited since then, behind another message of its ordering key. */
    HELD,
    /** The messages behind it have waited for it since then. */
    HOLDS,
    /** It is not sent before this time. */
    DUE,
    /** It was sent. */
    SENT,
    /** A person discarded it. */
    DISCARDED,
    /** A person had its content erased; its id stays. */
    ERASED
  }
}
