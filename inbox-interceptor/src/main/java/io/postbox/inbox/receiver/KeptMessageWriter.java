package io.postbox.inbox.receiver;

import io.postbox.common.log.Throttle;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.MessageBuffered;
import io.postbox.inbox.MessageCaptured;
import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.MessageQuarantined;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.config.ConsumerConfig;
import io.postbox.inbox.config.ConsumerConfig.Quota;
import io.postbox.inbox.config.InboxConfig.OnMismatch;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.message.Body.Opaque;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.DelayedRetry;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.Quarantined;
import io.postbox.inbox.receiver.Limits.Kind;
import io.postbox.inbox.receiver.Limits.Room;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Stores messages that are not done: those to be retried or handled later, quarantined and parked
 * ones. Thread-safe.
 */
final class KeptMessageWriter {
  /**
   * The prefix of these keys; no message id and no JMSMessageID, under which a handler's failures
   * count, begins with it.
   */
  private static final String COPY = "copy:";

  /** Of one more this node asks for its failures only after another one. */
  private static final int MOST_FAILED_COPIES = 1_000;

  private final ReceiverParts parts;
  private final Throttle quotaLines = new Throttle(System::nanoTime);
  private final Throttle unkeepable = new Throttle(System::nanoTime);

  /** The keys of messages that this node could not store, so that it asks for no others. */
  private final Set<String> failedCopies =
      Collections.synchronizedSet(
          Collections.newSetFromMap(
              new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                  return size() > MOST_FAILED_COPIES;
                }
              }));

  KeptMessageWriter(ReceiverParts parts) {
    this.parts = parts;
  }

  /** Carries out a decision to quarantine or to park. */
  Completion keep(Decision decision, Delivery delivery, DeliveryAttempt attempt) {
    if (delivery.stored() != null) {
      return keep(decision, delivery, false, attempt); // its content is in its row
    }
    if (delivery.canBeKept()) {
      return hasUsedUpItsCopies(delivery)
          ? keep(decision, delivery.withoutBody(), attempt.forwards(), attempt)
          : copy(delivery, attempt, read -> keep(decision, read, false, attempt));
    }
    if (attempt.forwards()) {
      return keep(decision, delivery.withoutBody(), true, attempt);
    }
    return delivery.body() instanceof Opaque object
        ? stay(decision, delivery, object, attempt)
        : keep(decision, delivery.withoutBody(), false, attempt);
  }

  /**
   * Stores a message with its body, which is read once more, encoded and perhaps encrypted; that
   * takes time, and several times its size. If memory or time runs out, that counts: nothing else
   * would, and the message would go round for ever.
   *
   * @param store stores the message, whose content has been read
   */
  private Completion copy(
      Delivery delivery, DeliveryAttempt attempt, Function<Delivery, Completion> store) {
    String key = COPY + delivery.fingerprint().sha256();
    boolean wasMarked = attempt.isRollbackOnly();
    attempt.copies(key);
    try {
      Delivery read = delivery.keeping(delivery.content().get());
      if (isInTime(attempt, wasMarked)) {
        Completion stored = store.apply(read);
        if (isInTime(attempt, wasMarked)) {
          attempt.copied();
          return stored;
        }
      }
    } catch (OutOfMemoryError | StackOverflowError tooLarge) {
      cannotBeCopied(key, attempt);
      throw tooLarge;
    } catch (RuntimeException failed) {
      if (FailureClassifier.isTimeout(failed)) {
        cannotBeCopied(key, attempt);
      }
      throw failed;
    }
    cannotBeCopied(key, attempt);
    throw new InboxException(
        "A message for the consumer '%s' was not stored, because its transaction ended before its body was copied: it timed out. It is rolled back and redelivered, and kept without its body after max-transient-failures (%s) of these."
            .formatted(delivery.consumer(), configOf(delivery).maxTransientFailures()),
        null);
  }

  private void cannotBeCopied(String key, DeliveryAttempt attempt) {
    failedCopies.add(key);
    attempt.cannotBeRead(key);
  }

  private static boolean isInTime(DeliveryAttempt attempt, boolean wasMarked) {
    return !attempt.hasEnded() && (wasMarked || !attempt.isRollbackOnly());
  }

  /**
   * Whether storing a message with its body has ended for lack of memory or time as often as a body
   * may be unreadable. Then only the rest of it is kept.
   */
  boolean hasUsedUpItsCopies(Delivery delivery) {
    String key = COPY + delivery.fingerprint().sha256();
    return failedCopies.contains(key) && hasUsedUpItsAttempts(delivery, key);
  }

  private boolean hasUsedUpItsAttempts(Delivery delivery, String key) {
    return new RecoverabilityPolicy(configOf(delivery), parts.random())
        .hasUsedUpItsAttempts(
            delivery.history(), key, () -> parts.store().failuresOf(delivery.consumer(), key));
  }

  /**
   * Has an object message with an id redelivered until an operator takes it, because its body is
   * stored nowhere else. Without an id it can never be handled: it is redelivered as often as a
   * message may fail, so that an operator can take it, and then kept without its body.
   */
  private Completion stay(
      Decision decision, Delivery delivery, Opaque object, DeliveryAttempt attempt) {
    DelayedRetry retry = insteadOfBeingKept(delivery);
    attempt.waitsAtBroker(retry);
    unkeepable.tell(times -> InboxLog.cannotBeKept(delivery, retry.delay()));
    if (delivery.knownId().isPresent()) {
      return keep(decision, delivery, false, attempt); // throws, because it cannot be kept
    }
    if (hasUsedUpItsAttempts(delivery, object.key())) {
      return keep(decision, delivery.withoutBody(), false, attempt);
    }
    attempt.cannotBeRead(object.key());
    return keep(decision, delivery, false, attempt);
  }

  /**
   * The retry of an object message: storing its body would mean deserialising it, which could run
   * any code.
   */
  private DelayedRetry insteadOfBeingKept(Delivery delivery) {
    return DelayedRetry.inPlace(delivery, configOf(delivery).backoff().max());
  }

  /** Stores a message to be handled later, unless one with its id, which is forgotten, is there. */
  Completion capture(Delivery delivery, String id, DeliveryAttempt attempt) {
    return copy(
        delivery,
        attempt,
        read -> {
          long size = read.content().get().size();
          return ifNew(
              parts.store().capture(read, id, attempt.mayReply()),
              read,
              Completion.of(
                  new MessageCaptured(read.consumer(), id, Optional.ofNullable(read.eventType())),
                  () -> {
                    parts.limits().added(read.consumer(), Kind.CAPTURED, size);
                    parts.wakeUp().captured(read.consumer());
                  }));
        });
  }

  /** Whether a message whose handler has failed may be stored until its retry. */
  boolean haveRoomToDelay(Delivery delivery) {
    return !parts.limits().isFull(delivery.consumer(), Kind.DELAYED)
        && !hasUsedUpItsCopies(delivery);
  }

  /**
   * Stores a message until its retry is due, unless one with its id, which was not acknowledged, is
   * there.
   */
  Completion delay(Delivery delivery, DelayedRetry retry, DeliveryAttempt attempt) {
    return delivery.stored() == null
        ? copy(delivery, attempt, read -> delayCopy(read, retry, attempt))
        : delayCopy(delivery, retry, attempt);
  }

  private Completion delayCopy(Delivery delivery, DelayedRetry retry, DeliveryAttempt attempt) {
    String consumer = delivery.consumer();
    long size = delivery.stored() == null ? delivery.content().get().size() : 0;
    return ifNew(
        parts.store().delay(delivery, retry, mayReply(delivery, attempt)),
        delivery,
        Completion.delayed(
            () -> {
              if (delivery.stored() == null) {
                parts.limits().added(consumer, Kind.DELAYED, size);
              }
              parts.wakeUp().delayed(consumer, retry.delay());
            }));
  }

  private Completion ifNew(Optional<Fingerprint> stored, Delivery delivery, Completion completion) {
    return stored.isEmpty() ? completion : known(skipped(delivery), delivery, stored.get());
  }

  /** Whether a new row allows a reply; one that is there says so already. */
  private static boolean mayReply(Delivery delivery, DeliveryAttempt attempt) {
    return delivery.stored() == null && attempt.mayReply();
  }

  /**
   * Stores a message until the versions before it have been handled. It is none for a person, so
   * neither the quota of kept messages nor the log concerns it; it has limits of its own.
   */
  Completion buffer(Delivery delivery, String id, DeliveryAttempt attempt) {
    if (delivery.stored() != null) {
      return bufferCopy(delivery, id, attempt);
    }
    return hasUsedUpItsCopies(delivery)
        ? keep(
            new Decision.Quarantine(QuarantineReason.BODY_UNREADABLE, null),
            delivery.withoutBody(),
            attempt.forwards(),
            attempt)
        : copy(delivery, attempt, read -> bufferCopy(read, id, attempt));
  }

  private Completion bufferCopy(Delivery delivery, String id, DeliveryAttempt attempt) {
    long size = delivery.content().get().size();
    Optional<Fingerprint> stored =
        parts
            .store()
            .park(
                new Parked(delivery, id, ParkReason.EARLY, "", "", 0), mayReply(delivery, attempt));
    MessageBuffered event =
        new MessageBuffered(delivery.consumer(), id, Optional.ofNullable(delivery.eventType()));
    return stored.isEmpty()
        ? Completion.of(event, () -> parts.limits().added(delivery.consumer(), Kind.EARLY, size))
        : known(event, delivery, stored.get());
  }

  private Completion keep(
      Decision decision, Delivery delivery, boolean isForwarded, DeliveryAttempt attempt) {
    if (decision instanceof Decision.Quarantine quarantine) {
      return quarantine(quarantine, delivery, isForwarded);
    }
    if (decision instanceof Decision.Park park) {
      return park(park, delivery, isForwarded, mayReply(delivery, attempt));
    }
    throw new IllegalArgumentException("not a decision to keep a message aside: " + decision);
  }

  private Completion quarantine(
      Decision.Quarantine decision, Delivery delivery, boolean isForwarded) {
    if (decision.reason() == QuarantineReason.OTHER_CONTENT
        && parts.config().onMismatch() == OnMismatch.REJECT) {
      throw new InboxException(
          "Message "
              + delivery.knownId().orElseThrow()
              + " for the consumer '"
              + delivery.consumer()
              + "' is rejected, because "
              + decision.reason().text()
              + ". It is rolled back and redelivered until an operator takes it from its queue.",
          null);
    }
    Delivery kept = roomFor(delivery);
    Quarantined quarantined =
        new Quarantined(
            kept, delivery.knownId().orElse(null), decision.reason(), decision.stored());
    boolean isNew = parts.store().quarantine(quarantined);
    MessageQuarantined event =
        new MessageQuarantined(
            delivery.consumer(),
            Optional.ofNullable(quarantined.messageId()),
            Optional.ofNullable(delivery.eventType()),
            quarantined.reason().name(),
            delivery.fingerprint().sha256(),
            Optional.ofNullable(decision.stored()).map(Fingerprint::sha256));
    return isNew
        ? Completion.of(event, () -> count(delivery, kept, () -> log(quarantined, isForwarded)))
        : announcingSkip(event, delivery);
  }

  private static void log(Quarantined quarantined, boolean isForwarded) {
    boolean hasBody =
        quarantined.delivery().stored() != null
            || quarantined.delivery().content().get().type() != BodyType.NOT_KEPT;
    if (hasBody || isForwarded) {
      InboxLog.quarantined(quarantined);
    } else {
      InboxLog.quarantinedWithoutBody(quarantined);
    }
    logIf(isForwarded, quarantined.delivery());
  }

  private static void logIf(boolean isForwarded, Delivery delivery) {
    if (isForwarded) {
      InboxLog.forwarded(delivery);
    }
  }

  private Completion park(
      Decision.Park decision, Delivery delivery, boolean isForwarded, boolean mayReply) {
    Delivery kept = roomFor(delivery);
    Parked parked =
        new Parked(
            kept,
            delivery.knownId().orElseThrow(),
            decision.reason(),
            decision.error(),
            decision.signature(),
            decision.attempts());
    Optional<Fingerprint> stored = parts.store().park(parked, mayReply);
    return stored.isEmpty()
        ? Completion.of(
            parked.event(),
            () ->
                count(
                    delivery,
                    kept,
                    () -> {
                      InboxLog.parked(parked);
                      logIf(isForwarded, delivery);
                    }))
        : known(parked.event(), delivery, stored.get());
  }

  /** Limits how much of a message is kept; without a quota any sender could fill the tables. */
  private Delivery roomFor(Delivery delivery) {
    if (delivery.stored() != null) {
      return delivery; // it has its room already
    }
    Content content = delivery.content().get();
    Room room = parts.limits().roomFor(delivery.consumer(), content.size());
    if (room == Room.ALL) {
      return delivery.keeping(content);
    }
    logQuota(delivery, room);
    if (room == Room.METADATA) {
      return delivery.keeping(Content.withoutBody(delivery.headers()));
    }
    throw new InboxException(
        "A message for the consumer '"
            + delivery.consumer()
            + "' cannot be kept aside, because the kept messages have reached"
            + " postbox.inbox.quota.messages or postbox.inbox.quota.bytes. It is rolled back and"
            + " redelivered until an operator redrives or discards some of them.",
        null);
  }

  private void logQuota(Delivery delivery, Room room) {
    Quota quota = configOf(delivery).quota();
    quotaLines.tell(
        times ->
            WatchLog.full(
                delivery.consumer(),
                quota.messages(),
                quota.bytes(),
                room == Room.METADATA
                    ? "further ones are acknowledged and kept without their bodies, which are lost"
                    : "further ones are rolled back and throttled, and their endpoint is paused if"
                        + " the server supports that, so that they stay in their queue",
                times));
  }

  private void count(Delivery delivery, Delivery kept, Runnable line) {
    long size = delivery.stored() == null ? kept.content().get().size() : 0;
    parts.limits().added(delivery.consumer(), Kind.KEPT, size);
    parts.keptLines().tell(delivery.consumer(), line);
  }

  /**
   * A message that is stored already, as a redelivery or a duplicate of one that is; one with other
   * content is quarantined, in its row if it has one.
   */
  private Completion known(MessageEvent event, Delivery delivery, Fingerprint stored) {
    return RecoverabilityPolicy.onKnownId(delivery.fingerprint(), stored)
            instanceof Decision.Quarantine other
        ? quarantine(other, delivery, false)
        : announcingSkip(event, delivery);
  }

  /** Listeners receive a skipped event. */
  private static Completion announcingSkip(MessageEvent event, Delivery delivery) {
    return new Completion(null, event, skipped(delivery), Completion.NOTHING);
  }

  private static MessageSkipped skipped(Delivery delivery) {
    return new Decision.Skip(Why.DUPLICATE).event(delivery);
  }

  private ConsumerConfig configOf(Delivery delivery) {
    return parts.consumers().apply(delivery.consumer());
  }
}
