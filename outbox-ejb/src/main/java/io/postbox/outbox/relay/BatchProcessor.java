package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.BatchSettlement.RecoverabilityPolicy;
import io.postbox.outbox.relay.DeliveryStrategy.DeliveryResult;
import io.postbox.outbox.relay.PartitionClaims.Claim;
import io.postbox.outbox.store.ClaimStore.Batch;
import io.postbox.outbox.store.ClaimStore.Failure;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * One batch of one lane: claim, read, send, complete. The claim is the lease; whatever ends its
 * transaction ends it. Thread-safe.
 */
final class BatchProcessor {
  /** How many messages are read at most to find one that can be a probe. */
  private static final int FARTHEST = 10_000;

  private final PartitionClaims claims;
  private final DeliveryStrategy delivery;
  private final CircuitBreakers breakers;
  private final OutcomePublisher outcomes;
  private final AdaptiveBatchSizes sizes;
  private final InstantSource clock;
  private final LowWaterMarks lowWaterMarks = new LowWaterMarks();

  /** The outcome of a pass. */
  enum Outcome {
    /** Another relay holds the partition. */
    BUSY,
    /** The circuit is open, so the partition was not claimed. */
    BLOCKED,
    /** Everything that can be sent now is sent; later commits bring their own wake-up. */
    DRAINED,
    /** There may be more. */
    MORE
  }

  /** An outcome, and how long the message waits that is due first after a failure here. */
  record Result(Outcome outcome, Duration nextAttempt) {
    static final Duration NEVER = Duration.ofDays(1_000);

    static Result of(Outcome outcome) {
      return new Result(outcome, NEVER);
    }
  }

  BatchProcessor(
      PartitionClaims claims,
      Gateway gateway,
      CircuitBreakers breakers,
      RelayListener listener,
      RecoverabilityPolicy policy,
      int batchSize,
      DoubleSupplier random,
      InstantSource clock) {
    this.claims = claims;
    this.breakers = breakers;
    this.clock = clock;
    outcomes = new OutcomePublisher(listener, policy.maxAttempts());
    sizes = new AdaptiveBatchSizes(batchSize);
    delivery = DeliveryStrategy.of(policy, claims, gateway, breakers, sizes, random);
  }

  /**
   * @throws SQLException if the database failed; sent messages may be sent again
   */
  Result run(Lane lane) throws SQLException {
    if (!breakers.isPermitted(lane.destination())) {
      return Result.of(Outcome.BLOCKED); // the breaker brings the next poll
    }
    boolean ended = false;
    try {
      Result result = claimed(lane);
      ended = true;
      return result;
    } finally {
      if (!ended) {
        forgetLowWaterMarks();
      }
    }
  }

  /**
   * Makes the next reads begin at the start of every lane. To be called after any failure of the
   * database: it may have failed over to one that has lost the last commits and issues their
   * numbers again.
   */
  void forgetLowWaterMarks() {
    lowWaterMarks.forgetAll();
  }

  private Result claimed(Lane lane) throws SQLException {
    Optional<Claim> taken = claims.claim(lane.partition());
    if (taken.isEmpty()) {
      return Result.of(Outcome.BUSY);
    }
    Pass pass = Pass.NONE;
    try (Claim claim = taken.get()) {
      pass = work(claim, lane);
    } finally { // other workers wait for the partition, but not for listeners
      outcomes.publish(pass.delivered().report(), pass.delivered().undeliverable());
    }
    return pass.result();
  }

  /** A pass that has committed. */
  private record Pass(Result result, DeliveryResult delivered) {
    static final Pass NONE = new Pass(Result.of(Outcome.DRAINED), DeliveryResult.NOTHING);
  }

  private Pass work(Claim claim, Lane lane) throws SQLException {
    long floor = lowWaterMarks.after(lane, claim.putBack(), clock.instant());
    int limit = sizes.of(lane.destination());
    Batch batch = claim.read(lane.destination(), floor, limit);
    if (floor > 0 && !batch.full()) {
      floor = 0;
      batch = claim.read(lane.destination(), 0, limit);
    }
    batch = readOn(claim, lane, batch);
    BatchSelection selection = BatchSelection.of(batch.messages());
    claim.hold(selection.followers().stream().map(StoredMessage::seq).toList());
    List<StoredMessage> admitted = breakers.tryAcquire(lane.destination(), selection.sendable());
    DeliveryResult done = delivery.deliver(claim, lane, admitted, selection.expired());
    int gone = selection.followers().size() + done.gone();
    boolean allGone = gone == batch.messages().size() && !done.putsBack();
    if (allGone && batch.full()) {
      lowWaterMarks.emptied(lane, batch, floor, claim.putBack(), clock.instant());
    } else {
      lowWaterMarks.forget(lane);
    }
    boolean waits = done.report().destinationFault().isPresent();
    boolean progress = gone > 0 || done.firstLoads();
    boolean more = done.putsBack() || (!waits && progress && (batch.full() || !allGone));
    return new Pass(
        new Result(more ? Outcome.MORE : Outcome.DRAINED, nextAttempt(done.failures())), done);
  }

  /**
   * Reads farther than usual if the circuit is not closed and the first messages cannot serve as a
   * probe. Otherwise a suspect with many followers would hide all messages behind them.
   */
  private Batch readOn(Claim claim, Lane lane, Batch first) throws SQLException {
    Batch batch = first;
    for (int limit = 2 * batch.messages().size();
        batch.full()
            && limit < FARTHEST
            && breakers.hasOnlySuspects(
                lane.destination(), BatchSelection.of(batch.messages()).sendable());
        limit *= 2) {
      Batch farther = claim.read(lane.destination(), 0, limit);
      if (farther.messages().size() <= batch.messages().size()) {
        return farther; // they are so large that no more of them fit
      }
      batch = farther;
    }
    return batch;
  }

  private static Duration nextAttempt(List<Failure> failures) {
    return failures.stream()
        .filter(failure -> !failure.dead())
        .map(Failure::backoff)
        .min(Duration::compareTo)
        .orElse(Result.NEVER);
  }
}
