package io.postbox.inbox.receiver;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.config.ConsumerConfig;
import io.postbox.inbox.config.ConsumerConfig.VersionOrder;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.Body.TooLarge;
import io.postbox.inbox.message.Body.Unreadable;
import io.postbox.inbox.message.Crashes;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Failures;
import io.postbox.inbox.message.MessageId.Known;
import io.postbox.inbox.message.MessageId.OfAnother;
import io.postbox.inbox.message.MessageId.Unusable;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.receiver.IdempotencyStore.Place;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;

/**
 * Decides about one delivery from what the store says, and remembers its id there unless it is to
 * come again or is kept aside.
 *
 * @param store what was handled so far
 * @param recorded what is on record of earlier tries
 * @param config how the consumer is treated
 * @param canSendRetry whether it can be made to stay away; otherwise it may come before its time;
 *     asked only for a message that has failed
 * @param random even draws from 0 (included) to 1 (excluded)
 */
record RecoverabilityPolicy(
    IdempotencyStore store,
    RecordedAttempt recorded,
    ConsumerConfig config,
    BooleanSupplier canSendRetry,
    DoubleSupplier random) {

  Decision about(Delivery delivery) {
    if (delivery.id() instanceof OfAnother) {
      return new Decision.Skip(Why.FOR_ANOTHER);
    }
    if (delivery.body() instanceof TooLarge) {
      return new Decision.Quarantine(QuarantineReason.BODY_TOO_LARGE, null);
    }
    if (delivery.body() instanceof Unreadable unreadable) {
      return aboutUnreadable(delivery, unreadable);
    }
    if (delivery.id() instanceof Unusable unusable) {
      return new Decision.Quarantine(unusable.reason(), null);
    }
    String id = ((Known) delivery.id()).value();
    Optional<QuarantineReason> refusal = store.refusalOf(delivery.consumer(), id);
    if (refusal.isPresent()) {
      return new Decision.Quarantine(refusal.get(), null);
    }
    Failures sofar = Failures.NONE;
    if (delivery.history().mayHaveFailed()) {
      Optional<Decision> known = ifKnown(delivery, id);
      if (known.isPresent()) {
        return known.get();
      }
      Optional<Decision> afterCrashes = afterCrashes(delivery);
      if (afterCrashes.isPresent()) {
        return afterCrashes.get();
      }
      sofar = store.failuresOf(delivery.consumer(), id);
      Optional<Decision> notNow = afterFailures(delivery, sofar);
      if (notNow.isPresent()) {
        return notNow.get();
      }
    }
    Decision handle = new Decision.Handle(sofar.counted() + 1);
    return config.order().isPresent()
        ? inOrder(delivery, id, config.order().get(), handle)
        : unlessKnown(delivery, id, Outcome.PROCESSED, handle);
  }

  /**
   * It may be the provider's trouble, and pass. Of one without a name nobody can count the tries:
   * that it is back is all that is known.
   */
  private Decision aboutUnreadable(Delivery delivery, Unreadable body) {
    boolean isLast =
        delivery.history().mayHaveFailed()
            && (body.key().isEmpty()
                || store.failuresOf(delivery.consumer(), body.key()).transients()
                    >= config.maxTransientFailures());
    return isLast
        ? new Decision.Quarantine(QuarantineReason.BODY_UNREADABLE, null)
        : new Decision.Unread(body);
  }

  /** A message that ends the process is tried alone, so that no bystander is taken for it. */
  private Optional<Decision> afterCrashes(Delivery delivery) {
    Crashes crashes = recorded.sofar();
    if (crashes.reach(config.maxCrashes())) {
      return Optional.of(
          new Decision.Park(
              ParkReason.TOO_MANY_CRASHES,
              "%d attempts at it began and never ended, because their process died; one of them was the only suspect at work there. inbox_attempt names the processes; their logs and dumps tell why."
                  .formatted(crashes.number()),
              crashes.number()));
    }
    if (recorded.mustWait()) {
      int waitedFor = delivery.history().waitedFor() + 1; // or its copy would look like the first
      return Optional.of(
          new Decision.Later(
              config.backoff().after(waitedFor, random.getAsDouble()),
              waitedFor,
              delivery.history().waits()));
    }
    return Optional.empty();
  }

  /** A message that fails leaves its queue soon, because it would keep the others waiting. */
  private Optional<Decision> afterFailures(Delivery delivery, Failures sofar) {
    if (sofar.rejected()) {
      return Optional.of(Decision.Park.after(sofar, ParkReason.REJECTED, sofar.counted() + 1));
    }
    if (sofar.counted() >= config.maxAttempts()) {
      return Optional.of(Decision.Park.after(sofar, ParkReason.TOO_MANY_FAILURES, sofar.counted()));
    }
    if (sofar.transients() >= config.maxTransientFailures()) {
      return Optional.of(
          Decision.Park.after(
              sofar, ParkReason.TOO_MANY_TRANSIENT_FAILURES, sofar.counted() + sofar.transients()));
    }
    if (sofar.total() <= delivery.history().waitedFor()) {
      return Optional.empty(); // it has waited for all of them
    }
    Duration delay =
        sofar.lastPause() != null
            ? shorter(sofar.lastPause(), config.retention())
            : config.backoff().after(sofar.total(), random.getAsDouble());
    Duration left = canSendRetry.getAsBoolean() ? delay : delay.minus(sofar.sinceLast());
    return left.isNegative() || left.isZero()
        ? Optional.empty()
        : Optional.of(new Decision.Later(left, sofar.total(), delivery.history().waits()));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private Decision inOrder(Delivery delivery, String id, VersionOrder order, Decision handle) {
    Aggregate aggregate = delivery.aggregate();
    if (aggregate == null) {
      return new Decision.Quarantine(QuarantineReason.MISSING_VERSION, null);
    }
    Place place = store.lockVersion(delivery.consumer(), aggregate, order.firstVersion());
    Decision decision = inOrder(delivery, id, aggregate, order, place.version(), handle);
    if (decision instanceof Decision.Handle) {
      store.moveOn(delivery.consumer(), aggregate);
    } else if (place.isNew()) {
      store.forgetPlace(delivery.consumer(), aggregate);
    }
    return decision;
  }

  private Decision inOrder(
      Delivery delivery,
      String id,
      Aggregate aggregate,
      VersionOrder order,
      long last,
      Decision handle) {
    if (aggregate.version() < last) {
      return unlessKnown(delivery, id, Outcome.STALE, new Decision.Skip(Why.STALE));
    }
    if (aggregate.version() == last) {
      return sameVersion(delivery, id);
    }
    if (aggregate.version() > last + 1
        && !store.allDiscarded(delivery.consumer(), aggregate, last)) {
      return early(delivery, id, aggregate, order, last);
    }
    return unlessKnown(delivery, id, Outcome.PROCESSED, handle);
  }

  /** What it tells of is nowhere else: to skip it as stale would be to lose it. */
  private Decision sameVersion(Delivery delivery, String id) {
    return ifKnown(delivery, id)
        .orElseGet(() -> new Decision.Quarantine(QuarantineReason.SAME_VERSION, null));
  }

  private Decision early(
      Delivery delivery, String id, Aggregate aggregate, VersionOrder order, long last) {
    Optional<Decision> known = ifKnown(delivery, id);
    if (known.isPresent()) { // a person has discarded it
      return known.get();
    }
    int waits = delivery.history().waits() + 1;
    if (waits > order.maxWaits()) {
      return new Decision.Park(
          ParkReason.VERSION_MISSING,
          "Not all versions from %d to %d of its aggregate came while it waited %d times."
              .formatted(last + 1, aggregate.version() - 1, order.maxWaits()),
          0);
    }
    return new Decision.Later(
        config.backoff().after(waits, random.getAsDouble()), delivery.history().waitedFor(), waits);
  }

  private Decision unlessKnown(Delivery delivery, String id, Outcome outcome, Decision ifNew) {
    if (store.insertIfAbsent(delivery, id, outcome)) {
      return ifNew;
    }
    return ifKnown(delivery, id)
        .orElseThrow(
            () ->
                new InboxException(
                    "Message "
                        + id
                        + " for the consumer '"
                        + delivery.consumer()
                        + "' was not handled: its row was there and is gone again. It is rolled back"
                        + " and comes again.",
                    null));
  }

  /** What follows if its row is there; one that is being inserted is not waited for. */
  private Optional<Decision> ifKnown(Delivery delivery, String id) {
    return store
        .fingerprintOf(delivery.consumer(), id)
        .map(stored -> Decision.aboutKnown(delivery.fingerprint(), stored));
  }
}
