package io.postbox.inbox;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The life of one message in this inbox, as far as rows are kept.
 *
 * @param messageId the message's id
 * @param rows the rows that are kept of it: handled, captured, retried, parked, quarantined, of
 *     each consumer
 * @param events in order of time
 * @param note the unknown parts, and why; empty if a row says that it was handled
 */
public record MessageLife(
    String messageId, List<FoundMessage> rows, List<Event> events, Optional<String> note) {

  /** Keeps copies. */
  public MessageLife {
    rows = List.copyOf(rows);
    events = List.copyOf(events);
  }

  /**
   * An event in the life of the message.
   *
   * @param at when, by the database's clock
   * @param kind the kind of the event
   * @param consumer the name of the consumer that it happened with
   * @param node the node, for {@link Kind#BEGUN} and {@link Kind#FAILED}
   * @param reason why, for {@link Kind#PARKED} and {@link Kind#QUARANTINED}; the status, for {@link
   *     Kind#CAPTURED} and {@link Kind#RETRIED}
   * @param failure the recorded failure, for {@link Kind#FAILED}
   */
  public record Event(
      Instant at,
      Kind kind,
      String consumer,
      Optional<String> node,
      Optional<String> reason,
      Optional<FailedAttempt> failure) {}

  /** The kind of an event. */
  public enum Kind {
    /**
     * A recorded delivery began and has not ended: its handler runs, or its process died. Only
     * deliveries that may have come before are recorded.
     */
    BEGUN,
    /** A delivery was rolled back. */
    FAILED,
    /** It was stored, to be handled later. */
    CAPTURED,
    /** It was stored, to go back to its queue. */
    RETRIED,
    /** A stored message may be handled from this time on. */
    DUE,
    /** It was parked. */
    PARKED,
    /** It was buffered until its turn in the order of versions. */
    BUFFERED,
    /** It was quarantined. */
    QUARANTINED,
    /** The handler's transaction committed. */
    PROCESSED,
    /** It was skipped, because a later version of its aggregate was handled before. */
    STALE,
    /** A person discarded it. */
    DISCARDED,
    /** A person had its content erased; its id stays. */
    ERASED
  }
}
