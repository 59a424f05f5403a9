package io.postbox.outbox.relay;

import io.postbox.outbox.config.OutboxConfig.Delivery;
import io.postbox.outbox.config.OutboxConfig.Recovery;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.payload.ResolvedBatch;
import io.postbox.outbox.relay.DeliveryStrategy.AdmittedBatch;
import io.postbox.outbox.relay.DeliveryStrategy.DeliveryResult;
import io.postbox.outbox.relay.LowWaterMarks.Read;
import io.postbox.outbox.relay.PartitionClaims.Claim;
import io.postbox.outbox.store.ClaimStore.Batch;
import io.postbox.outbox.store.ClaimStore.Failure;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

/**
 * Processes one batch: claims, reads, sends, completes. The claim is the lease: when its
 * transaction ends, for whatever reason, the claim ends. A batch is of one lane, or of several
 * lanes of a partition that have few messages each, all on their first attempt. Thread-safe.
 */
final class BatchProcessor {
  /** The most messages that are read to find one that can be the probe. */
  private static final int FARTHEST = 10_000;

  /** Lanes that share a pass are read until payloads and headers take so many bytes. */
  private static final long LARGEST_SHARED = 2L << 20;

  private final PartitionClaims claims;
  private final Gateway gateway;
  private final DeliveryStrategy delivery;
  private final CircuitBreakers breakers;
  private final OutcomePublisher outcomes;
  private final AdaptiveBatchSizes sizes;
  private final InstantSource clock;
  private final LaneGroups groups;
  private final ForeignMessages foreign;
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

  /**
   * An outcome.
   *
   * @param again how long until the lane's next pass, if what is left there asks for one: a circuit
   *     has to be probed, or a read from the start may find more
   * @param delivered what was sent, or failed
   */
  record Result(Outcome outcome, Optional<Duration> again, DeliveryResult delivered) {
    static Result of(Outcome outcome) {
      return new Result(outcome, Optional.empty(), DeliveryResult.NOTHING);
    }

    /** The shortest wait until the retry of a message that failed in this pass. */
    Optional<Duration> nextAttempt() {
      return delivered.failures().stream()
          .filter(failure -> !failure.dead())
          .map(Failure::backoff)
          .min(Duration::compareTo);
    }
  }

  BatchProcessor(
      PartitionClaims claims,
      Gateway gateway,
      CircuitBreakers breakers,
      RelayListener listener,
      Delivery mode,
      Function<String, Recovery> policies,
      int batchSize,
      DoubleSupplier random,
      InstantSource clock) {
    this.claims = claims;
    this.gateway = gateway;
    this.breakers = breakers;
    this.clock = clock;
    foreign = new ForeignMessages(clock);
    outcomes = new OutcomePublisher(listener);
    sizes = new AdaptiveBatchSizes(batchSize);
    groups = new LaneGroups(mode == Delivery.LOCAL);
    delivery =
        new DeliveryStrategy(mode, policies, claims, gateway, breakers, sizes, random, clock);
  }

  /** The messages that wait for another node. */
  ForeignMessages foreign() {
    return foreign;
  }

  /** Which lanes share a pass. */
  LaneGroups groups() {
    return groups;
  }

  /**
   * @param lanes of one partition, as the groups say
   * @return the result for each
   * @throws SQLException if the database failed; sent messages may be sent again
   */
  Map<Lane, Result> run(List<Lane> lanes) throws SQLException {
    if (lanes.size() == 1) {
      return Map.of(lanes.get(0), run(lanes.get(0)));
    }
    boolean ended = false;
    try {
      Map<Lane, Result> results = shared(lanes);
      ended = true;
      return results;
    } finally {
      if (!ended) { // one of them may be at fault for all
        lanes.forEach(groups::separate);
        forgetLowWaterMarks();
      }
    }
  }

  /**
   * @throws SQLException if the database failed; sent messages may be sent again
   */
  Result run(Lane lane) throws SQLException {
    if (!breakers.isPermitted(lane.destination())) {
      return Result.of(Outcome.BLOCKED); // the work queue asks the breaker until when
    }
    boolean ended = false;
    try {
      Result result = claimed(lane);
      groups.passedAlone(lane, result.outcome());
      ended = true;
      return result;
    } finally {
      if (!ended) {
        forgetLowWaterMarks();
      }
    }
  }

  private Map<Lane, Result> shared(List<Lane> lanes) throws SQLException {
    Optional<Claim> taken = claims.claim(lanes.get(0).partition());
    if (taken.isEmpty()) {
      return results(lanes, Outcome.BUSY);
    }
    List<SendReport> sent = List.of();
    Map<Lane, Result> results = results(lanes, Outcome.MORE);
    try (Claim claim = taken.get()) {
      List<AdmittedBatch> batches = opened(claim, admitted(claim, lanes, results));
      if (!batches.isEmpty()) {
        sent = delivery.deliverTogether(claim, batches);
        for (AdmittedBatch batch : batches) {
          if (sent.isEmpty()) {
            groups.separate(batch.lane());
          } else {
            results.put(batch.lane(), Result.of(Outcome.DRAINED));
          }
        }
      }
    } finally {
      sent.forEach(report -> outcomes.publish(report, Map.of(), List.of()));
    }
    return results;
  }

  private static Map<Lane, Result> results(List<Lane> lanes, Outcome outcome) {
    Map<Lane, Result> results = new LinkedHashMap<>();
    lanes.forEach(lane -> results.put(lane, Result.of(outcome)));
    return results;
  }

  /**
   * Reads the lanes as far as they fit into one batch. Those that do not are left for the next
   * pass, and those with more than a few messages, or with something to decide, for one of their
   * own.
   *
   * @param results of lanes that turn out to be empty, drained
   */
  private List<AdmittedBatch> admitted(Claim claim, List<Lane> lanes, Map<Lane, Result> results)
      throws SQLException {
    List<AdmittedBatch> batches = new ArrayList<>();
    int room = sizes.maximum();
    long bytes = 0;
    for (Lane lane : lanes) {
      String destination = lane.destination();
      if (breakers.state(destination) != CircuitBreaker.State.CLOSED
          || sizes.isReduced(destination)
          || lowWaterMarks.isCostly(lane)) {
        groups.separate(lane);
        continue;
      }
      Instant begun = clock.instant();
      Batch batch = claim.read(destination, 0, sizes.of(destination));
      Read read = new Read(0, claim.putBack(), begun, clock.instant());
      lowWaterMarks.forget(lane);
      if (read.isCostly()) {
        groups.separate(lane);
      }
      if (batch.messages().size() > room) {
        break;
      }
      if (batch.messages().isEmpty()) {
        results.put(lane, Result.of(Outcome.DRAINED));
      } else if (batch.full()
          || read.isCostly()
          || !batch.messages().stream().allMatch(this::isPlain)) {
        groups.separate(lane);
      } else {
        batches.add(new AdmittedBatch(lane, batch.messages(), List.of(), false));
        room -= batch.messages().size();
        bytes += batch.messages().stream().mapToLong(BatchProcessor::size).sum();
      }
      if (bytes > LARGEST_SHARED) {
        break;
      }
    }
    return batches;
  }

  private static long size(StoredMessage message) {
    return message.envelope().body().size() + message.envelope().headers().length();
  }

  /** Nothing has to be decided about it, unless it fails now. */
  private boolean isPlain(StoredMessage message) {
    return message.attempts() == 0
        && message.heldBy() == null
        && !message.isExpired()
        && gateway.lacksFor(message).isEmpty();
  }

  /**
   * Resolves the payloads of all lanes at once, and returns the batches of which every message is
   * ready. A lane with another one gets a pass of its own. Payloads that were loaded for the first
   * time are noted, and the next pass sends all of them.
   */
  private List<AdmittedBatch> opened(Claim claim, List<AdmittedBatch> batches) throws SQLException {
    List<StoredMessage> all = batches.stream().flatMap(it -> it.messages().stream()).toList();
    ResolvedBatch resolved = gateway.resolve(all);
    if (!resolved.firstHashes().isEmpty()) {
      claim.keepHashes(resolved.firstHashes());
      claim.commit();
      return List.of();
    }
    Map<Long, StoredMessage> bySeq = new HashMap<>();
    resolved.ready().forEach(message -> bySeq.put(message.seq(), message));
    List<AdmittedBatch> opened = new ArrayList<>();
    for (AdmittedBatch batch : batches) {
      List<StoredMessage> ready =
          batch.messages().stream()
              .map(it -> bySeq.get(it.seq()))
              .filter(Objects::nonNull)
              .toList();
      if (ready.size() == batch.messages().size()) {
        opened.add(new AdmittedBatch(batch.lane(), ready, List.of(), false));
      } else {
        groups.separate(batch.lane());
      }
    }
    return opened;
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
    Result result = Result.of(Outcome.DRAINED);
    try (Claim claim = taken.get()) {
      result = work(claim, lane);
    } finally { // after the claim has ended: no other worker waits for listeners
      DeliveryResult delivered = result.delivered();
      outcomes.publish(delivered.report(), delivered.undeliverable(), delivered.failures());
    }
    return result;
  }

  private Result work(Claim claim, Lane lane) throws SQLException {
    long after = lowWaterMarks.after(lane, claim.putBack(), clock.instant());
    int limit = sizes.of(lane.destination());
    Instant begun = clock.instant();
    Batch batch = claim.read(lane.destination(), after, limit);
    if (after > 0 && !batch.full() && !lowWaterMarks.isCostly(lane)) {
      after = 0;
      begun = clock.instant();
      batch = claim.read(lane.destination(), 0, limit);
    }
    Read read = new Read(after, claim.putBack(), begun, clock.instant());
    BatchSelection selection = readOn(claim, lane, batch);
    batch = selection.batch();
    foreign.waiting(lane, selection.foreign(), gateway::lacksFor);
    claim.hold(lane.destination(), selection.followers().stream().map(StoredMessage::seq).toList());
    List<StoredMessage> admitted = breakers.tryAcquire(lane.destination(), selection.sendable());
    DeliveryResult done =
        delivery.deliver(
            claim, new AdmittedBatch(lane, admitted, selection.expired(), batch.full()));
    int gone = selection.followers().size() + done.gone();
    boolean allGone = gone == batch.messages().size() && !done.putsBack();
    if (allGone) {
      lowWaterMarks.emptied(lane, batch, read);
    } else {
      lowWaterMarks.forget(lane);
    }
    boolean waits = done.report().destinationFault().isPresent();
    boolean progress = gone > 0 || done.firstLoads() || admitted.stream().anyMatch(this::isForeign);
    boolean more = done.putsBack() || (!waits && progress && (batch.full() || !allGone));
    return new Result(
        more ? Outcome.MORE : Outcome.DRAINED,
        more ? Optional.empty() : again(lane, after > 0 && batch.messages().isEmpty(), allGone),
        done);
  }

  /** When a lane of which no more can be sent now has to be looked at without news of it. */
  private Optional<Duration> again(Lane lane, boolean emptyAboveMark, boolean allGone) {
    Instant now = clock.instant();
    if (emptyAboveMark) { // a poll may have found a message below the mark
      return Optional.of(lowWaterMarks.untilFromStart(lane, now));
    }
    return allGone
        ? Optional.empty()
        : breakers.nextTry(lane.destination()).map(next -> Duration.between(now, next));
  }

  /**
   * Reads farther than usual if the first messages all wait for another node, or if the circuit is
   * not closed and they cannot serve as a probe. Otherwise a suspect with many followers would hide
   * all messages behind them.
   */
  private BatchSelection readOn(Claim claim, Lane lane, Batch first) throws SQLException {
    BatchSelection selection = BatchSelection.of(first, this::isForeign);
    for (int limit = 2 * first.messages().size();
        selection.batch().full() && limit < FARTHEST && hidesOthers(lane, selection);
        limit *= 2) {
      int size = selection.batch().messages().size();
      selection = BatchSelection.of(claim.read(lane.destination(), 0, limit), this::isForeign);
      if (selection.batch().messages().size() <= size) {
        break; // they are so large that no more of them fit
      }
    }
    return selection;
  }

  /** Whether nothing of a batch can be tried, and messages behind it perhaps can. */
  private boolean hidesOthers(Lane lane, BatchSelection selection) {
    List<StoredMessage> sendable = selection.sendable();
    return sendable.isEmpty()
        ? !selection.foreign().isEmpty()
        : breakers.hasOnlySuspects(lane.destination(), sendable);
  }

  private boolean isForeign(StoredMessage message) {
    return gateway.lacksFor(message).isPresent();
  }
}
