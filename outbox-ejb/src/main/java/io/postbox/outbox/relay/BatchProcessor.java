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
 * Processes one batch of one lane: claims, reads, sends, completes. The claim is the lease: when
 * its transaction ends, for whatever reason, the claim ends. Thread-safe.
 */
final class BatchProcessor {
  /** The most messages that are read to find one that can be the probe. */
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
    /** The relay has sent everything that can be sent now; later commits wake it themselves. */
    DRAINED,
    /** There may be more. */
    MORE
  }

  /** An outcome, and the shortest wait until the retry of a message that failed in this pass. */
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
      return Result.of(Outcome.BLOCKED); // the breaker schedules the next poll
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
   * Makes the next read of every lane begin at its start. Call it after any failure of the
   * database: it may have failed over to a replica that lost the last commits and assigns their
   * sequence numbers again.
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
    } finally { // after the claim has ended: no other worker waits for listeners
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
