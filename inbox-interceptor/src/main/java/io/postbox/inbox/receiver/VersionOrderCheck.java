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
 * the message's id is inserted, and records the next version when it is handled.
 *
 * @param store knows the place of each aggregate
 * @param duplicates knows which messages were handled
 * @param policy decides about a version that is too early
 * @param order how the consumer orders versions
 * @param aggregates limits how many aggregates the consumer may know
 */
record VersionOrderCheck(
    IdempotencyStore store,
    DuplicateCheck duplicates,
    RecoverabilityPolicy policy,
    VersionOrder order,
    KnownAggregates aggregates) {

  /**
   * Decides about a message to which no other rule applies.
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

  /** Parks any version of a new aggregate: handling it would add a known aggregate. */
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
      // Its content is stored nowhere else, so skipping it as stale would lose it.
      return duplicates
          .ifKnown(delivery, id)
          .orElseGet(() -> new Decision.Quarantine(QuarantineReason.SAME_VERSION, null));
    }
    if (aggregate.version() > last + 1
        && !store.allDiscarded(delivery.consumer(), aggregate, last)) {
      return duplicates
          .ifKnown(delivery, id) // an operator may have discarded it
          .orElseGet(() -> policy.onEarlyVersion(delivery.history(), aggregate, last, order));
    }
    return duplicates.insertIfAbsent(delivery, id, Outcome.PROCESSED, handle);
  }
}
