package io.postbox.inbox.receiver;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.MessageParked;
import io.postbox.inbox.MessageQuarantined;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.config.ConsumerConfig.Quota;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.InboxConfig.OnMismatch;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.log.KeptLines;
import io.postbox.inbox.log.Throttle;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.message.Body.LeftOut;
import io.postbox.inbox.message.Body.Opaque;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.Quarantined;
import io.postbox.inbox.receiver.Quotas.Room;
import java.util.Optional;

/**
 * Keeps deliveries aside for a person: quarantined or parked.
 *
 * @param config how the consumers are treated
 * @param store where they are kept
 * @param quotas how much of them
 * @param lines tells of them
 * @param fullTold keeps it from being told with each message that there is no room
 */
record KeptMessageWriter(
    InboxConfig config, IdempotencyStore store, Quotas quotas, KeptLines lines, Throttle fullTold) {

  void carryOut(Decision decision, Delivery delivery, DeliveryAttempt attempt) {
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

  private void goRound(
      Decision decision, Delivery delivery, Opaque object, DeliveryAttempt attempt) {
    DelayedRetry retry = insteadOfBeingKept(delivery);
    if (attempt.sendAway(retry)) {
      attempt.willSay(() -> InboxLog.cannotBeKept(delivery, retry.delay()));
    } else if (isAtItsLastTry(delivery, object)) {
      keep(decision, delivery.withoutBody(), false, attempt);
    } else {
      count(delivery, object, attempt);
      keep(decision, delivery, false, attempt); // that it cannot be kept is thrown
    }
  }

  private void keep(
      Decision decision, Delivery delivery, boolean isForwarded, DeliveryAttempt attempt) {
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

  private static void count(Delivery delivery, Opaque object, DeliveryAttempt attempt) {
    if (delivery.knownId().isEmpty()) {
      attempt.cannotBeRead(object.key());
    }
  }

  /** The same where it cannot be sent away. */
  private boolean isAtItsLastTry(Delivery delivery, Opaque object) {
    return delivery.knownId().isEmpty()
        && delivery.history().mayHaveFailed()
        && (object.key().isEmpty() // then nobody can count
            || store.failuresOf(delivery.consumer(), object.key()).transients()
                >= config.of(delivery.consumer()).maxTransientFailures());
  }

  /** Its body would have to be deserialised to be kept, and nobody knows what that would run. */
  private DelayedRetry insteadOfBeingKept(Delivery delivery) {
    return new DelayedRetry(
        delivery.knownId().orElse(""),
        config.of(delivery.consumer()).backoff().max(),
        // one more, or the copy would look like this one, and at first like one to be handled
        delivery.history().waitedFor() + 1,
        delivery.history().waits());
  }

  private void quarantine(
      Decision.Quarantine decision,
      Delivery delivery,
      boolean isForwarded,
      DeliveryAttempt attempt) {
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
    Delivery kept = roomFor(delivery);
    Quarantined quarantined =
        new Quarantined(
            kept, delivery.knownId().orElse(null), decision.reason(), decision.stored());
    boolean isNew = store.quarantine(quarantined);
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
        kept,
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
      Decision.Park decision, Delivery delivery, boolean isForwarded, DeliveryAttempt attempt) {
    Delivery kept = roomFor(delivery);
    Parked parked =
        new Parked(
            kept,
            delivery.knownId().orElseThrow(),
            decision.reason(),
            decision.error(),
            decision.signature(),
            decision.attempts());
    boolean isNew = store.park(parked);
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
        kept,
        attempt,
        () -> {
          InboxLog.parked(parked);
          tellIf(isForwarded, delivery);
        });
  }

  /** What of it is to be kept. Anybody who may send could fill the tables otherwise. */
  private Delivery roomFor(Delivery delivery) {
    Content content = delivery.content().get();
    Room room = quotas.roomFor(delivery.consumer(), content.size());
    if (room == Room.ALL) {
      return delivery.keeping(content);
    }
    Quota quota = config.of(delivery.consumer()).quota();
    long times = fullTold.take();
    if (times > 0) {
      WatchLog.full(
          delivery.consumer(),
          quota.messages(),
          quota.bytes(),
          room == Room.METADATA
              ? "further ones are acknowledged and kept without their bodies, which are lost"
              : "further ones are rolled back and held up, and their endpoint is paused where the server can do that, so that they stay in their queue",
          times);
    }
    if (room == Room.METADATA) {
      return delivery.keeping(Content.withoutBody(delivery.headers()));
    }
    throw new InboxException(
        "A message for the consumer '"
            + delivery.consumer()
            + "' should be kept aside, and there is no room: as much is kept as"
            + " postbox.inbox.quota.messages or postbox.inbox.quota.bytes allows. It is rolled back"
            + " and comes again, until somebody has redriven or discarded some of what is kept.",
        null);
  }

  /** One that is there comes again for another consumer's sake, or as a duplicate: no news. */
  private void tell(
      boolean isNew, Delivery delivery, Delivery kept, DeliveryAttempt attempt, Runnable line) {
    if (isNew) {
      long size = kept.content().get().size();
      attempt.willSay(
          () -> {
            quotas.kept(delivery.consumer(), size);
            lines.tell(delivery.consumer(), line);
          });
    } else {
      attempt.willTell(new Decision.Skip(Why.DUPLICATE).event(delivery));
    }
  }
}
