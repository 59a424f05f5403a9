package io.postbox.inbox.receiver;

import io.postbox.common.log.Signature;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.message.Body.Unreadable;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Failures;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.QuarantineReason;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The decision about a delivery. */
sealed interface Decision {

  /**
   * The message is new, so the handler is called.
   *
   * @param attempt the number of the attempt, from 1
   * @param releases whether its transaction releases the next version of its aggregate
   */
  record Handle(int attempt, boolean releases) implements Decision {
    /** A message whose handling releases no other one. */
    Handle(int attempt) {
      this(attempt, false);
    }

    /** A copy. */
    Handle releasing(boolean any) {
      return new Handle(attempt, any);
    }
  }

  /** The message is new, so it is stored and handled later. */
  record Capture() implements Decision {}

  /** The message is acknowledged without calling the handler. */
  record Skip(Why why) implements Decision {
    /** The event for the application. */
    MessageSkipped event(Delivery delivery) {
      return new MessageSkipped(
          delivery.consumer(),
          delivery.knownId().orElse(""),
          Optional.ofNullable(delivery.eventType()),
          why);
    }
  }

  /**
   * The message is quarantined and acknowledged.
   *
   * @param reason why
   * @param stored the stored fingerprint that differs from the message's own, if that is the reason
   */
  record Quarantine(QuarantineReason reason, @Nullable Fingerprint stored) implements Decision {}

  /**
   * The message is parked and acknowledged, because its handler cannot handle it.
   *
   * @param reason why
   * @param error of the last attempt
   * @param signature the same for all errors of one cause
   * @param attempts how often its handler failed
   */
  record Park(ParkReason reason, String error, String signature, int attempts) implements Decision {
    /** Parks a message for a reason of the inbox's own. */
    Park(ParkReason reason, String error, int attempts) {
      this(reason, error, Signature.of(error), attempts);
    }

    /** Parks a message with the error of its last attempt. */
    static Park after(Failures sofar, ParkReason reason, int attempts) {
      return new Park(reason, sofar.last(), sofar.signature(), attempts);
    }
  }

  /** The message is stored until the versions before it have been handled. */
  record Buffer() implements Decision {}

  /**
   * The message is stored until its retry is due and acknowledged; one that cannot be stored waits
   * at its broker.
   *
   * @param delay how long until the retry is due
   * @param waitedFor how many failures this and earlier delays are for
   * @param waits how often the message was too early in the order of its aggregate
   */
  record RetryLater(Duration delay, int waitedFor, int waits) implements Decision {}

  /** The body cannot be read: the delivery is rolled back, and the attempt is charged. */
  record RollBack(Unreadable body) implements Decision {}
}
