package io.postbox.inbox.receiver;

import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.config.ConsumerConfig.VersionOrder;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.receiver.IdempotencyStore.Place;

/**
 * Handles the versions of an aggregate in their order: the row of the aggregate is locked before
 * the message's id is inserted, and moves on when the next version is handled.
 *
 * @param store where each aggregate stands
 * @param duplicates which messages were handled so far
 * @param policy decides about a version that comes too early
 * @param order how the consumer orders versions
 * @param aggregates how many it may know
 */
record VersionOrderCheck(
    IdempotencyStore store,
    DuplicateCheck duplicates,
    RecoverabilityPolicy policy,
    VersionOrder order,
    KnownAggregates aggregates) {

  /**
   * Decides about a message that no other rule concerns.
   *
   * @param handle the decision if it is the next version
   */
  Decision decide(Delivery delivery, String id, Decision handle) {
    Aggregate aggregate = delivery.aggregate();
    if (aggregate == null) {
      return new Decision.Quarantine(QuarantineReason.MISSING_VERSION, null);
    }
    Place place = store.lockVersion(delivery.consumer(), aggregate, order.firstVersion());
    Decision decision =
        place.isNew() && !aggregates.haveRoom(delivery.consumer())
            ? decideWithoutRoom(delivery, id)
            : decide(delivery, id, aggregate, place.version(), handle);
    if (decision instanceof Decision.Handle) {
      store.moveOn(delivery.consumer(), aggregate);
      if (place.isNew()) {
        aggregates.added(delivery.consumer());
      }
    } else if (place.isNew()) {
      store.forgetPlace(delivery.consumer(), aggregate);
    }
    return decision;
  }

  /** Whichever version it is: with its place, the aggregate would be one more that is known. */
  private Decision decideWithoutRoom(Delivery delivery, String id) {
    return duplicates
        .ifKnown(delivery, id)
        .orElseGet(
            () ->
                new Decision.Park(
                    ParkReason.TOO_MANY_AGGREGATES,
                    "The consumer has reached postbox.inbox.quota.aggregates, and this aggregate is a new one. Redrive the message when the quota has room, or raise it.",
                    0));
  }

  private Decision decide(
      Delivery delivery, String id, Aggregate aggregate, long last, Decision handle) {
    if (aggregate.version() < last) {
      return duplicates.insertIfAbsent(delivery, id, Outcome.STALE, new Decision.Skip(Why.STALE));
    }
    if (aggregate.version() == last) {
      // Its content is nowhere else: to skip it as stale would be to lose it.
      return duplicates
          .ifKnown(delivery, id)
          .orElseGet(() -> new Decision.Quarantine(QuarantineReason.SAME_VERSION, null));
    }
    if (aggregate.version() > last + 1
        && !store.allDiscarded(delivery.consumer(), aggregate, last)) {
      return duplicates
          .ifKnown(delivery, id) // an operator has discarded it
          .orElseGet(() -> policy.onEarlyVersion(delivery.history(), aggregate, last, order));
    }
    return duplicates.insertIfAbsent(delivery, id, Outcome.PROCESSED, handle);
  }
}
