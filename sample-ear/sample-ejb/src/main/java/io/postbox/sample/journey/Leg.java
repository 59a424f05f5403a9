package io.postbox.sample.journey;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The known facts about a message on its way from an outbox to an inbox.
 *
 * @param messageId its id
 * @param inOutbox its row in the outbox; empty if it has left
 * @param sentAt when the relay took it; empty if that is not known
 * @param timesSent how often it was sent; 0 if that is not known
 * @param handledAt when its consumer was done with it; empty if it is not
 * @param discarded whether it is done because a person discarded it
 * @param failures when its handler failed since its last redrive, oldest first
 * @param parked its row among the parked messages
 * @param quarantined the rows of quarantined messages with its id
 * @param skipped how many duplicates were skipped
 */
record Leg(
    String messageId,
    Optional<InOutbox> inOutbox,
    Optional<Instant> sentAt,
    int timesSent,
    Optional<Instant> handledAt,
    boolean discarded,
    List<Instant> failures,
    Optional<Kept> parked,
    List<Kept> quarantined,
    int skipped) {

  /** Keeps copies. */
  Leg {
    failures = List.copyOf(failures);
    quarantined = List.copyOf(quarantined);
  }

  /**
   * A message in the outbox.
   *
   * @param status why it is there
   * @param blockedSince since when its destination is paused, or its circuit open
   */
  record InOutbox(Status status, Optional<Instant> blockedSince) {}

  /** Why a message is in the outbox. */
  enum Status {
    /** It is about to be sent. */
    WAITING,
    /** A person paused its destination. */
    PAUSED,
    /** Its destination does not answer, or is not there. */
    CIRCUIT_OPEN,
    /** A message before it, with the same ordering key, has failed. */
    HELD,
    /** It used up its attempts. */
    DEAD,
    /** A person discarded it. */
    DISCARDED
  }

  /**
   * A message that the inbox keeps aside.
   *
   * @param row its number
   * @param at since when
   */
  record Kept(long row, Instant at) {}

  /** Whether the consumer is done with it. */
  boolean isHandled() {
    return handledAt.isPresent();
  }
}
