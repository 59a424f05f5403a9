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
   * It is new: the handler runs.
   *
   * @param attempt its number, from 1
   */
  record Handle(int attempt) implements Decision {}

  /** It is acknowledged, and the handler does not run. */
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
   * It is kept aside and acknowledged.
   *
   * @param reason why
   * @param stored the fingerprint that its own contradicts, if that is why
   */
  record Quarantine(QuarantineReason reason, @Nullable Fingerprint stored) implements Decision {}

  /**
   * It is parked and acknowledged, because its handler cannot handle it.
   *
   * @param reason why
   * @param error of the last attempt
   * @param signature the same for all errors of one cause
   * @param attempts how often its handler failed
   */
  record Park(ParkReason reason, String error, String signature, int attempts) implements Decision {
    /** For a reason of the inbox's own. */
    Park(ParkReason reason, String error, int attempts) {
      this(reason, error, Signature.of(error), attempts);
    }

    /** With the error of the last attempt. */
    static Park after(Failures sofar, ParkReason reason, int attempts) {
      return new Park(reason, sofar.last(), sofar.signature(), attempts);
    }
  }

  /**
   * It is resent with a delay and acknowledged.
   *
   * @param delay how long it stays away
   * @param waitedFor how many failures the delay is for, with those before
   * @param waits how often it came too early
   */
  record RetryLater(Duration delay, int waitedFor, int waits) implements Decision {}

  /** Its body could not be read: it is rolled back, and the attempt is charged. */
  record RollBack(Unreadable body) implements Decision {}
}
