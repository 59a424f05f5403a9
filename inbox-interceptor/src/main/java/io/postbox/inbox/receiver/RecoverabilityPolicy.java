package io.postbox.inbox.receiver;

import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.config.ConsumerConfig;
import io.postbox.inbox.config.ConsumerConfig.VersionOrder;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.Body;
import io.postbox.inbox.message.Crashes;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.Failures;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.MessageId;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.QuarantineReason;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Decides about a delivery, from its headers and from the record of its message: skip, quarantine,
 * retry later, park. Pure except for the random part of a delay; an empty answer means that no rule
 * it was asked about prevents the handler's call.
 *
 * @param config of the consumer
 * @param random even draws from 0 (included) to 1 (excluded)
 */
record RecoverabilityPolicy(ConsumerConfig config, DoubleSupplier random) {

  /** The decision that needs no record: about a delivery that no handler could ever handle. */
  Optional<Decision> onArrival(Delivery delivery) {
    if (delivery.id() instanceof MessageId.OfAnother) {
      return Optional.of(new Decision.Skip(Why.FOR_ANOTHER));
    }
    if (delivery.body() instanceof Body.TooLarge) {
      return Optional.of(new Decision.Quarantine(QuarantineReason.BODY_TOO_LARGE, null));
    }
    if (delivery.id() instanceof MessageId.Unusable unusable
        && !(delivery.body() instanceof Body.Unreadable)) {
      return Optional.of(new Decision.Quarantine(unusable.reason(), null));
    }
    return Optional.empty();
  }

  /**
   * The decision about a body that cannot be read, which may be the provider's trouble, and pass.
   *
   * @param failures those of its key, asked only if it may have failed before
   */
  Decision onUnreadableBody(History history, Body.Unreadable body, Supplier<Failures> failures) {
    return hasUsedUpItsAttempts(history, body.key(), failures)
        ? new Decision.Quarantine(QuarantineReason.BODY_UNREADABLE, null)
        : new Decision.RollBack(body);
  }

  /**
   * Whether a message whose handler never begins was rolled back often enough. Without a key
   * failures cannot be counted: only the redelivery is known.
   *
   * @param key under which its failures count; empty if it has none
   * @param failures those of its key, asked only if it may have failed before
   */
  boolean hasUsedUpItsAttempts(History history, String key, Supplier<Failures> failures) {
    return history.mayHaveFailed()
        && (key.isEmpty() || failures.get().transients() >= config.maxTransientFailures());
  }

  /** The decision about a message whose id is known. */
  static Decision onKnownId(Fingerprint delivered, Fingerprint stored) {
    return delivered.contradicts(stored)
        ? new Decision.Quarantine(QuarantineReason.OTHER_CONTENT, stored)
        : new Decision.Skip(Why.DUPLICATE);
  }

  /** A message that ends the process is tried alone, so that no bystander is taken for it. */
  Optional<Decision> onCrashes(History history, RecordedAttempt recorded) {
    Crashes crashes = recorded.crashes();
    if (crashes.reach(config.maxCrashes())) {
      return Optional.of(
          new Decision.Park(
              ParkReason.TOO_MANY_CRASHES,
              "%d attempts at it began and never ended, because their process died; one of them was the only suspect at work there. inbox_attempt names the processes; look at their logs and dumps."
                  .formatted(crashes.number()),
              crashes.number()));
    }
    if (recorded.mustWait()) {
      int waitedFor = history.waitedFor() + 1; // or its copy would look like the first
      return Optional.of(new Decision.RetryLater(backoff(waitedFor), waitedFor, history.waits()));
    }
    return Optional.empty();
  }

  /**
   * A message that fails leaves its queue soon, because it would keep the others waiting.
   *
   * @param canSendRetry whether it can be sent with a delay; otherwise it may be redelivered before
   *     its time
   */
  Optional<Decision> onFailures(History history, Failures failures, BooleanSupplier canSendRetry) {
    if (failures.rejected()) {
      return Optional.of(
          Decision.Park.after(failures, ParkReason.REJECTED, failures.counted() + 1));
    }
    if (failures.counted() >= config.maxAttempts()) {
      return Optional.of(
          Decision.Park.after(failures, ParkReason.TOO_MANY_FAILURES, failures.counted()));
    }
    if (failures.transients() >= config.maxTransientFailures()) {
      return Optional.of(
          Decision.Park.after(
              failures,
              ParkReason.TOO_MANY_TRANSIENT_FAILURES,
              failures.counted() + failures.transients()));
    }
    if (failures.total() <= history.waitedFor()) {
      return Optional.empty(); // it has waited for all of them
    }
    Duration delay =
        failures.lastPause() != null
            ? shorter(failures.lastPause(), config.retention())
            : backoff(failures.total());
    Duration left = canSendRetry.getAsBoolean() ? delay : delay.minus(failures.sinceLast());
    return left.isNegative() || left.isZero()
        ? Optional.empty()
        : Optional.of(new Decision.RetryLater(left, failures.total(), history.waits()));
  }

  /** A version whose predecessors have not come yet. */
  Decision onEarlyVersion(History history, Aggregate aggregate, long last, VersionOrder order) {
    int waits = history.waits() + 1;
    return waits > order.maxWaits()
        ? new Decision.Park(
            ParkReason.VERSION_MISSING,
            "Not all versions from %d to %d of its aggregate came while it waited %d times."
                .formatted(last + 1, aggregate.version() - 1, order.maxWaits()),
            0)
        : new Decision.RetryLater(backoff(waits), history.waitedFor(), waits);
  }

  private Duration backoff(int failures) {
    return config.backoff().after(failures, random.getAsDouble());
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
