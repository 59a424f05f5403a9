package io.postbox.inbox.guard;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.MessageParked;
import io.postbox.inbox.MessageQuarantined;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.InboxConfig.OnMismatch;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Body.LeftOut;
import io.postbox.inbox.message.Body.Opaque;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.Quarantined;
import java.util.Optional;

/**
 * Keeps deliveries aside for a person: quarantined or parked.
 *
 * @param config how the consumers are treated
 * @param ledger where they are kept
 */
record KeepingAside(InboxConfig config, Ledger ledger) {

  void carryOut(Decision decision, Delivery delivery, Attempt attempt) {
    if (delivery.canBeKept()) {
      keep(decision, delivery, false, attempt);
    } else if (attempt.forwards()) {
      keep(decision, delivery.withoutBody(), true, attempt);
    } else if (delivery.body() instanceof Opaque object && !isToLoseItsBody(delivery)) {
      goRound(decision, delivery, object, attempt);
    } else {
      keep(decision, delivery.withoutBody(), false, attempt);
    }
  }

  private void goRound(Decision decision, Delivery delivery, Opaque object, Attempt attempt) {
    Again again = insteadOfBeingKept(delivery);
    if (attempt.sendAway(again)) {
      attempt.willSay(() -> InboxLog.cannotBeKept(delivery, again.delay()));
    } else if (isAtItsLastTry(delivery, object)) {
      keep(decision, delivery.withoutBody(), false, attempt);
    } else {
      count(delivery, object, attempt);
      keep(decision, delivery, false, attempt); // that it cannot be kept is thrown
    }
  }

  private void keep(Decision decision, Delivery delivery, boolean isForwarded, Attempt attempt) {
    if (decision instanceof Decision.Quarantine quarantine) {
      quarantine(quarantine, delivery, isForwarded, attempt);
    } else if (decision instanceof Decision.Park park) {
      park(park, delivery, isForwarded, attempt);
    }
  }

  /**
   * An object with an id goes round until somebody takes it, for its body is nowhere else. Without
   * one it can never be handled: it goes round as often as a message may fail, so that somebody can
   * take it, and then only its headers and properties are kept.
   */
  private boolean isToLoseItsBody(Delivery delivery) {
    return delivery.knownId().isEmpty()
        && delivery.history().waitedFor() >= config.of(delivery.consumer()).maxAttempts();
  }

  private static void count(Delivery delivery, Opaque object, Attempt attempt) {
    if (delivery.knownId().isEmpty()) {
      attempt.cannotBeRead(object.key());
    }
  }

  /** The same where it cannot be sent away. */
  private boolean isAtItsLastTry(Delivery delivery, Opaque object) {
    return delivery.knownId().isEmpty()
        && delivery.history().mayHaveFailed()
        && (object.key().isEmpty() // then nobody can count
            || ledger.failuresOf(delivery.consumer(), object.key()).transients()
                >= config.of(delivery.consumer()).maxTransientFailures());
  }

  /** Its body would have to be deserialised to be kept, and nobody knows what that would run. */
  private Again insteadOfBeingKept(Delivery delivery) {
    return new Again(
        delivery.knownId().orElse(""),
        config.of(delivery.consumer()).backoff().max(),
        // one more, or the copy would look like this one, and at first like one to be handled
        delivery.history().waitedFor() + 1,
        delivery.history().waits());
  }

  private void quarantine(
      Decision.Quarantine decision, Delivery delivery, boolean isForwarded, Attempt attempt) {
    if (decision.reason() == QuarantineReason.OTHER_CONTENT
        && config.onMismatch() == OnMismatch.REJECT) {
      throw new InboxException(
          "Message "
              + delivery.knownId().orElseThrow()
              + " for the consumer '"
              + delivery.consumer()
              + "' is rejected, because "
              + decision.reason().text()
              + ". It is rolled back and comes again until somebody takes it from its queue.",
          null);
    }
    Quarantined quarantined =
        new Quarantined(
            delivery, delivery.knownId().orElse(null), decision.reason(), decision.stored());
    boolean isNew = ledger.quarantine(quarantined);
    attempt.willEndAs(
        new MessageQuarantined(
            delivery.consumer(),
            Optional.ofNullable(quarantined.messageId()),
            Optional.ofNullable(delivery.eventType()),
            quarantined.reason().name(),
            delivery.fingerprint().sha256(),
            Optional.ofNullable(decision.stored()).map(Fingerprint::sha256)));
    tell(
        isNew,
        delivery,
        attempt,
        () -> {
          if (delivery.body() instanceof LeftOut && !isForwarded) {
            InboxLog.quarantinedWithoutBody(quarantined);
          } else {
            InboxLog.quarantined(quarantined);
          }
          tellIf(isForwarded, delivery);
        });
  }

  private static void tellIf(boolean isForwarded, Delivery delivery) {
    if (isForwarded) {
      InboxLog.forwarded(delivery);
    }
  }

  private void park(
      Decision.Park decision, Delivery delivery, boolean isForwarded, Attempt attempt) {
    Parked parked =
        new Parked(
            delivery,
            delivery.knownId().orElseThrow(),
            decision.reason(),
            decision.error(),
            decision.signature(),
            decision.attempts());
    boolean isNew = ledger.park(parked);
    attempt.willEndAs(
        new MessageParked(
            delivery.consumer(),
            parked.messageId(),
            Optional.ofNullable(delivery.eventType()),
            parked.attempts(),
            parked.reason().name(),
            parked.error()));
    tell(
        isNew,
        delivery,
        attempt,
        () -> {
          InboxLog.parked(parked);
          tellIf(isForwarded, delivery);
        });
  }

  /** One that is there comes again for another consumer's sake, or as a duplicate: no news. */
  private static void tell(boolean isNew, Delivery delivery, Attempt attempt, Runnable line) {
    if (isNew) {
      attempt.willSay(line);
    } else {
      attempt.willTell(new Decision.Skip(Why.DUPLICATE).event(delivery));
    }
  }
}
