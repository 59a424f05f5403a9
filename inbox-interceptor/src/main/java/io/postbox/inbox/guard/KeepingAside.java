package io.postbox.inbox.guard;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.MessageParked;
import io.postbox.inbox.MessageQuarantined;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.InboxConfig.OnMismatch;
import io.postbox.inbox.log.InboxLog;
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
    if (!delivery.canBeKept()) {
      Again again = insteadOfBeingKept(delivery);
      if (attempt.sendAway(again)) {
        attempt.willSay(() -> InboxLog.cannotBeKept(delivery, again.delay()));
        return;
      } // else that it cannot be kept is thrown in the end
    }
    if (decision instanceof Decision.Quarantine quarantine) {
      quarantine(quarantine, delivery, attempt);
    } else if (decision instanceof Decision.Park park) {
      park(park, delivery, attempt);
    }
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

  private void quarantine(Decision.Quarantine decision, Delivery delivery, Attempt attempt) {
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
    tell(isNew, delivery, attempt, () -> InboxLog.quarantined(quarantined));
  }

  private void park(Decision.Park decision, Delivery delivery, Attempt attempt) {
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
    tell(isNew, delivery, attempt, () -> InboxLog.parked(parked));
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
