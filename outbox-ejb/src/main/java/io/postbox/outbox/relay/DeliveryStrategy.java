package io.postbox.outbox.relay;

import io.postbox.common.log.RecordedError;
import io.postbox.outbox.config.OutboxConfig.Delivery;
import io.postbox.outbox.config.OutboxConfig.Recovery;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.payload.ResolvedBatch;
import io.postbox.outbox.relay.BatchSender.TransportSession;
import io.postbox.outbox.relay.CircuitBreaker.State;
import io.postbox.outbox.relay.PartitionClaims.Claim;
import io.postbox.outbox.store.ClaimStore.Failure;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

/**
 * Delivers a batch that was claimed and read to the broker, and settles it in the tables. Payloads
 * are resolved first, and a batch with payloads that cannot be resolved is settled without being
 * sent.
 *
 * <p>{@code delivery=local}: sends in a JMS transaction of its own while the claim is held, and
 * settles the batch in the claim's transaction after the broker has committed. After a crash
 * between the two, the batch is sent again.
 *
 * <p>{@code delivery=xa}: claims, completes and sends each batch in one JTA transaction, two-phase,
 * by {@link XaCompletion}. So the claim under which the batch was read ends first, and failures are
 * recorded under another one. Thread-safe.
 */
final class DeliveryStrategy {
  private final Delivery mode;
  private final PartitionClaims claims;
  private final Gateway gateway;
  private final CircuitBreakers breakers;
  private final AdaptiveBatchSizes sizes;
  private final Function<String, Recovery> policies;
  private final DoubleSupplier random;
  private final InstantSource clock;

  /**
   * @param mode {@code postbox.outbox.delivery}
   * @param policies how failures of messages to a destination are recovered from
   * @param claims takes the claims under which failures of two-phase sends are recorded
   */
  DeliveryStrategy(
      Delivery mode,
      Function<String, Recovery> policies,
      PartitionClaims claims,
      Gateway gateway,
      CircuitBreakers breakers,
      AdaptiveBatchSizes sizes,
      DoubleSupplier random,
      InstantSource clock) {
    this.mode = mode;
    this.policies = policies;
    this.claims = claims;
    this.gateway = gateway;
    this.breakers = breakers;
    this.sizes = sizes;
    this.random = random;
    this.clock = clock;
  }

  /**
   * The part of a batch that is to be delivered.
   *
   * @param lane the batch's lane
   * @param messages may be tried now, in order
   * @param expired came too late to be tried
   * @param full whether the lane may have more than the batch had room for
   */
  record AdmittedBatch(
      Lane lane, List<StoredMessage> messages, List<StoredMessage> expired, boolean full) {}

  /**
   * The result of one batch.
   *
   * @param report the outcome of the messages that the relay tried to send
   * @param undeliverable those that must not be sent, and why
   * @param failures the failures that were recorded, those of undeliverable messages too
   * @param firstLoads whether payloads were loaded for the first time, so that the next pass can
   *     send them
   * @param putsBack whether held messages were released
   */
  record DeliveryResult(
      SendReport report,
      Map<StoredMessage, RecordedError> undeliverable,
      List<Failure> failures,
      boolean firstLoads,
      boolean putsBack) {
    /** Nothing was tried. */
    static final DeliveryResult NOTHING =
        new DeliveryResult(SendReport.NOTHING, Map.of(), List.of(), false, false);

    /** How many messages need not be sent any more for now. */
    int gone() {
      return report.sent().size() + failures.size();
    }
  }

  /**
   * Resolves, sends and settles messages. Ends the claim's transaction. Releases a probe among the
   * messages even after a failure: otherwise the relay would never send to its destination again.
   */
  DeliveryResult deliver(Claim claim, AdmittedBatch batch) throws SQLException {
    try {
      ResolvedBatch resolved = gateway.resolve(batch.messages());
      Map<StoredMessage, RecordedError> undeliverable = new HashMap<>(resolved.altered());
      batch.expired().forEach(message -> undeliverable.put(message, BatchSettlement.EXPIRED));
      return resolved.isClean()
          ? deliverResolved(claim, batch, resolved.ready(), undeliverable)
          : settleUnresolved(claim, batch, resolved, undeliverable);
    } finally {
      breakers.release(batch.messages());
    }
  }

  /**
   * Sends and settles messages whose payloads are loaded.
   *
   * @param batch that they are of
   * @param ready to be sent, in order; may be empty
   * @param undeliverable to be settled without being sent, and why
   */
  private DeliveryResult deliverResolved(
      Claim claim,
      AdmittedBatch batch,
      List<StoredMessage> ready,
      Map<StoredMessage, RecordedError> undeliverable)
      throws SQLException {
    String destination = batch.lane().destination();
    if (mode == Delivery.LOCAL) {
      return settle(claim, destination, send(batch, ready), undeliverable, false);
    }
    if (!undeliverable.isEmpty()) { // settled on their own: the next pass sends
      return settle(claim, destination, SendReport.NOTHING, undeliverable, false);
    }
    claim.commit();
    claim.close();
    SendReport report = send(batch, ready);
    boolean putsBack = report.sent().stream().anyMatch(StoredMessage::isHead);
    return report.rejected().isEmpty()
        ? new DeliveryResult(report, Map.of(), List.of(), false, putsBack)
        : recordFailures(batch.lane(), report, putsBack);
  }

  /** Of messages that were sent in two phases: it needs another claim. */
  private DeliveryResult recordFailures(Lane lane, SendReport report, boolean putsBack)
      throws SQLException {
    Optional<Claim> taken = claims.claim(lane.partition());
    if (taken.isEmpty()) { // they will fail again and are counted then
      return new DeliveryResult(
          report.withRejected(Map.of()), Map.of(), List.of(), false, putsBack);
    }
    try (Claim claim = taken.get()) {
      SendReport still = report.withRejected(stillThere(claim, lane, report.rejected()));
      DeliveryResult settled =
          settle(claim, lane.destination(), still.withoutSent(), Map.of(), false);
      return new DeliveryResult(
          still, Map.of(), settled.failures(), false, putsBack || settled.putsBack());
    }
  }

  /**
   * The messages that no other node settled while there was no claim, in their present state. One
   * may hold its key by now. One that waits behind another is left out: it is not at fault yet, and
   * cannot hold its key.
   */
  private static Map<StoredMessage, RecordedError> stillThere(
      Claim claim, Lane lane, Map<StoredMessage, RecordedError> rejected) throws SQLException {
    Map<StoredMessage, RecordedError> there = new HashMap<>();
    for (Map.Entry<StoredMessage, RecordedError> entry : rejected.entrySet()) {
      StoredMessage before = entry.getKey();
      claim.read(lane.destination(), before.seq() - 1, 1).messages().stream()
          .filter(it -> it.seq() == before.seq() && it.attempts() == before.attempts())
          .filter(it -> !it.isFollower())
          .forEach(it -> there.put(it, entry.getValue()));
    }
    return there;
  }

  /** On its own: the next pass sends. */
  private DeliveryResult settleUnresolved(
      Claim claim,
      AdmittedBatch batch,
      ResolvedBatch resolved,
      Map<StoredMessage, RecordedError> undeliverable)
      throws SQLException {
    claim.keepHashes(resolved.firstHashes());
    String destination = batch.lane().destination();
    SendReport report =
        breakers.onUnresolved(destination, batch.messages(), SendReport.unresolved(resolved));
    return settle(claim, destination, report, undeliverable, !resolved.firstHashes().isEmpty());
  }

  /** Writes the outcome of a batch, and commits. */
  private DeliveryResult settle(
      Claim claim,
      String destination,
      SendReport report,
      Map<StoredMessage, RecordedError> undeliverable,
      boolean firstLoads)
      throws SQLException {
    BatchSettlement settlement = complete(claim, destination, report, undeliverable);
    claim.commit();
    return new DeliveryResult(
        report, undeliverable, settlement.failures(), firstLoads, !settlement.release().isEmpty());
  }

  /**
   * Sends batches of several lanes in one transaction of the broker, all or nothing, and settles
   * them in that of the claim.
   *
   * @param batches with nothing in them but messages to send for the first time, admitted
   * @return a report for each batch; none if a send failed: it is not known whose fault that is, so
   *     each lane is to be delivered on its own
   */
  List<SendReport> deliverTogether(Claim claim, List<AdmittedBatch> batches) throws SQLException {
    List<StoredMessage> all = batches.stream().flatMap(it -> it.messages().stream()).toList();
    try {
      gateway.begin(batches.get(0).lane()).send(all);
    } catch (SendFailure unattributed) {
      return List.of();
    }
    List<SendReport> reports = new ArrayList<>();
    for (AdmittedBatch batch : batches) {
      String destination = batch.lane().destination();
      SendReport report =
          breakers.onResult(destination, batch.messages(), SendReport.ofSent(batch.messages()));
      complete(claim, destination, report, Map.of());
      reports.add(report);
    }
    claim.commit();
    return reports;
  }

  private BatchSettlement complete(
      Claim claim,
      String destination,
      SendReport report,
      Map<StoredMessage, RecordedError> undeliverable)
      throws SQLException {
    BatchSettlement settlement =
        BatchSettlement.of(report, undeliverable, policies.apply(destination), random);
    List<RecordedError> errors = settlement.failures().stream().map(Failure::error).toList();
    claim.complete(destination, settlement, gateway.seal(destination, errors));
    return settlement;
  }

  /** Sends, and lets batch size and circuit breaker learn from it. */
  private SendReport send(AdmittedBatch batch, List<StoredMessage> messages) {
    if (messages.isEmpty()) {
      return SendReport.NOTHING;
    }
    Instant start = clock.instant();
    String destination = batch.lane().destination();
    boolean probe = breakers.state(destination) != State.CLOSED;
    TransportSession session = gateway.begin(batch.lane());
    SendReport sent = BatchSender.send(messages, session);
    boolean late = sent.destinationFault().isPresent() && !session.hasTime();
    if (late && !probe) {
      sizes.timedOut(destination, messages.size());
    } else if (!late) {
      adapt(batch, sent, Duration.between(start, clock.instant()), probe);
    }
    return breakers.onResult(destination, messages, sent);
  }

  /** A probe is one message, and so tells nothing of how many go at once. */
  private void adapt(AdmittedBatch batch, SendReport sent, Duration took, boolean probe) {
    String destination = batch.lane().destination();
    boolean clean = sent.rejected().isEmpty() && sent.suspects().isEmpty();
    if (!clean) {
      sizes.rejected(destination);
    }
    if (!sent.sent().isEmpty() && !probe) {
      sizes.succeeded(destination, clean && batch.full(), took);
    }
  }
}
