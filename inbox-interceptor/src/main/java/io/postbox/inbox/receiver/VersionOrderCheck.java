package io.postbox.inbox.receiver;

import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.config.ConsumerConfig.VersionOrder;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.Standing;
import io.postbox.inbox.receiver.Limits.Kind;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Handles the versions of an aggregate in their order: the row of the aggregate is locked before
 * the message's id is inserted, and records the next version when it is handled. That transaction
 * also releases the version after it, if it waits. So each version that waits is released by the
 * one before it, and none overtakes another.
 *
 * @param store knows the place of each aggregate
 * @param duplicates knows which messages were handled
 * @param policy decides about a version that is too early
 * @param order how the consumer orders versions
 * @param limits how many aggregates the consumer may know, and messages it may have buffered
 * @param canBeStored whether the message can be stored, and sent to its consumer again
 */
record VersionOrderCheck(
    IdempotencyStore store,
    DuplicateCheck duplicates,
    RecoverabilityPolicy policy,
    VersionOrder order,
    Limits limits,
    BooleanSupplier canBeStored) {

  /**
   * Decides about a message to which no other rule applies.
   *
   * @param handle the decision if it is the next version
   */
  Decision decide(Delivery delivery, String id, Decision.Handle handle) {
    Aggregate aggregate = delivery.aggregate();
    if (aggregate == null) {
      return new Decision.Quarantine(QuarantineReason.MISSING_VERSION, null);
    }
    String consumer = delivery.consumer();
    Standing place =
        store.lockVersion(
            consumer, aggregate, order.firstVersion().orElse(Math.max(0, aggregate.version())));
    Decision decision =
        place.isNew() && limits.isFull(consumer, Kind.AGGREGATES)
            ? decideWithoutRoom(delivery, id)
            : decide(delivery, id, aggregate, place, handle);
    boolean isHandled = decision instanceof Decision.Handle;
    boolean waits = isWaiting(decision);
    if (waits && !place.isAwaited()) {
      store.await(consumer, aggregate);
    }
    if (place.isNew()) {
      if (isHandled || waits) {
        limits.added(consumer, Kind.AGGREGATES, 0);
      } else {
        store.forgetPlace(consumer, aggregate);
      }
    }
    return isHandled ? moveOn(consumer, aggregate, place, handle) : decision;
  }

  private Decision moveOn(
      String consumer, Aggregate aggregate, Standing place, Decision.Handle handle) {
    if (place.isAwaited()) {
      return handle.releasing(store.moveOnAndRelease(consumer, aggregate));
    }
    store.moveOn(consumer, aggregate);
    return handle;
  }

  private static boolean isWaiting(Decision decision) {
    return decision instanceof Decision.Buffer
        || (decision instanceof Decision.Park park && park.reason().isWaiting());
  }

  /** Parks any version of a new aggregate: handling it would add a known aggregate. */
  private Decision decideWithoutRoom(Delivery delivery, String id) {
    return duplicates
        .ifKnown(delivery, id)
        .orElseGet(
            () ->
                new Decision.Park(
                    ParkReason.TOO_MANY_AGGREGATES,
                    "The consumer has reached postbox.inbox.quota.aggregates, and this aggregate is"
                        + " a new one. Redrive the message when the quota has room, or raise it.",
                    0));
  }

  private Decision decide(
      Delivery delivery, String id, Aggregate aggregate, Standing place, Decision handle) {
    long last = place.version();
    if (aggregate.version() < place.first()) {
      return duplicates
          .ifKnown(delivery, id) // it may have been handled before there was an order
          .orElseGet(() -> new Decision.Quarantine(QuarantineReason.BELOW_FIRST_VERSION, null));
    }
    if (aggregate.version() < last) {
      return duplicates.insertIfAbsent(delivery, id, Outcome.STALE, new Decision.Skip(Why.STALE));
    }
    if (aggregate.version() == last) {
      return onLastVersion(delivery, id, aggregate);
    }
    if (aggregate.version() > last + 1
        && !store.allDiscarded(delivery.consumer(), aggregate, last)) {
      return duplicates
          .ifKnown(delivery, id) // an operator may have discarded it
          .orElseGet(() -> onEarlyVersion(delivery, id, aggregate, last));
    }
    return duplicates.insertIfAbsent(delivery, id, Outcome.PROCESSED, handle);
  }

  /** Its content is stored nowhere else, so skipping it as stale would lose it. */
  private Decision onLastVersion(Delivery delivery, String id, Aggregate aggregate) {
    Optional<Decision> known = duplicates.ifKnown(delivery, id);
    if (known.isPresent()) {
      return known.get();
    }
    return store.isDiscarded(delivery.consumer(), aggregate)
        ? duplicates.insertIfAbsent(delivery, id, Outcome.STALE, new Decision.Skip(Why.STALE))
        : new Decision.Quarantine(QuarantineReason.SAME_VERSION, null);
  }

  private Decision onEarlyVersion(Delivery delivery, String id, Aggregate aggregate, long last) {
    if (!canBeStored.getAsBoolean()) {
      return policy.onUnstorableEarlyVersion(delivery.history(), aggregate, last);
    }
    return limits.isFull(delivery.consumer(), Kind.EARLY)
        ? RecoverabilityPolicy.onFullBuffer(aggregate, last, order)
        : duplicates.ifWaiting(delivery, id).orElseGet(Decision.Buffer::new);
  }
}
