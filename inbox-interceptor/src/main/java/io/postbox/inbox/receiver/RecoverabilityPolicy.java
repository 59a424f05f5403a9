package io.postbox.inbox.receiver;

import io.postbox.common.config.Durations;
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
 * Decides from a delivery's headers and its message's record whether to skip, quarantine, retry
 * later or park. Pure except for the jitter of a delay. An empty result means that no rule prevents
 * the handler's call.
 *
 * @param config the consumer's configuration
 * @param random even draws from 0 (included) to 1 (excluded)
 */
record RecoverabilityPolicy(ConsumerConfig config, DoubleSupplier random) {
  /** How often a version waits at its broker, where others wait behind it. */
  static final int MOST_WAITS = 20;

  /** The decision about a delivery that no handler could ever handle; needs no record. */
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
   * The decision about a body that cannot be read; the cause may be a passing problem of the
   * provider.
   *
   * @param failures those of its key, asked only if it may have failed before
   */
  Decision onUnreadableBody(History history, Body.Unreadable body, Supplier<Failures> failures) {
    return hasUsedUpItsAttempts(history, body.key(), failures)
        ? new Decision.Quarantine(QuarantineReason.BODY_UNREADABLE, null)
        : new Decision.RollBack(body);
  }

  /**
   * Whether a message whose handler is never called has been rolled back often enough. Without a
   * key its failures cannot be counted; then the first redelivery is enough.
   *
   * @param key under which its failures count; empty if there is none
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

  /**
   * The decision after crashes: a message that may have killed a process runs alone, so that no
   * other one is blamed for it.
   */
  Optional<Decision> onCrashes(History history, RecordedAttempt recorded) {
    Crashes crashes = recorded.crashes();
    if (crashes.reach(config.maxCrashes())) {
      return Optional.of(
          new Decision.Park(
              ParkReason.TOO_MANY_CRASHES,
              "%s attempts at it began and never ended, because their process died; one of them was the only suspect at work there. inbox_attempt names the processes; look at their logs and dumps."
                  .formatted(crashes.number()),
              crashes.number()));
    }
    if (recorded.mustWait()) {
      int waitedFor =
          history.waitedFor() + 1; // otherwise the copy would look like the first message
      return Optional.of(new Decision.RetryLater(backoff(waitedFor), waitedFor, history.waits()));
    }
    return Optional.empty();
  }

  /**
   * The decision after failures: a failing message leaves its queue soon, because others wait
   * behind it.
   *
   * @param isStored whether it can be stored until its retry is due; otherwise it may be
   *     redelivered before
   */
  Optional<Decision> onFailures(History history, Failures failures, BooleanSupplier isStored) {
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
      return Optional.empty(); // it has waited after each of them
    }
    Duration delay =
        failures.lastPause() != null
            ? Durations.shorter(failures.lastPause(), config.retention())
            : backoff(failures.total());
    Duration left = isStored.getAsBoolean() ? delay : delay.minus(failures.sinceLast());
    return left.isNegative() || left.isZero()
        ? Optional.empty()
        : Optional.of(new Decision.RetryLater(left, failures.total(), history.waits()));
  }

  /**
   * The decision about a version whose predecessors have not arrived yet, if it cannot be stored:
   * it waits at its broker.
   */
  Decision onUnstorableEarlyVersion(History history, Aggregate aggregate, long last) {
    int waits = history.waits() + 1;
    return waits > MOST_WAITS
        ? new Decision.Park(
            ParkReason.VERSION_MISSING,
            "Not all versions from %s to %s of its aggregate arrived while it waited %s times. It is released when they have been handled."
                .formatted(last + 1, aggregate.version() - 1, MOST_WAITS),
            0)
        : new Decision.RetryLater(backoff(waits), history.waitedFor(), waits);
  }

  /**
   * The decision about a version whose predecessors have not arrived yet, if too many are buffered:
   * in its place it would be in front of others, of which one may be what it waits for.
   */
  static Decision onFullBuffer(Aggregate aggregate, long last, VersionOrder order) {
    return new Decision.Park(
        ParkReason.VERSION_MISSING,
        "Not all versions from %s to %s of its aggregate have arrived, and its consumer has %s buffered messages, or %s bytes of them (early.limit, early.bytes). It is released when they have been handled."
            .formatted(last + 1, aggregate.version() - 1, order.limit(), order.bytes()),
        0);
  }

  private Duration backoff(int failures) {
    return config.backoff().after(failures, random.getAsDouble());
  }
}
