package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.payload.ResolvedBatch;
import io.postbox.outbox.relay.BatchSender.TransportSession;
import io.postbox.outbox.relay.BatchSettlement.RecoverabilityPolicy;
import io.postbox.outbox.relay.PartitionClaims.Claim;
import io.postbox.outbox.store.ClaimStore.Failure;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * Delivers a batch that was claimed and read to the broker, and settles it in the tables. Both
 * strategies share these steps: payloads are resolved first, and a batch with payloads that cannot
 * be resolved is settled without being sent. Thread-safe.
 */
abstract sealed class DeliveryStrategy permits LocalDelivery, XaDelivery {
  private final Gateway gateway;
  private final CircuitBreakers breakers;
  private final AdaptiveBatchSizes sizes;
  private final RecoverabilityPolicy policy;
  private final DoubleSupplier random;

  DeliveryStrategy(
      RecoverabilityPolicy policy,
      Gateway gateway,
      CircuitBreakers breakers,
      AdaptiveBatchSizes sizes,
      DoubleSupplier random) {
    this.policy = policy;
    this.gateway = gateway;
    this.breakers = breakers;
    this.sizes = sizes;
    this.random = random;
  }

  /** As configured by {@code postbox.outbox.delivery}. */
  static DeliveryStrategy of(
      RecoverabilityPolicy policy,
      PartitionClaims claims,
      Gateway gateway,
      CircuitBreakers breakers,
      AdaptiveBatchSizes sizes,
      DoubleSupplier random) {
    return switch (policy.delivery()) {
      case LOCAL -> new LocalDelivery(policy, gateway, breakers, sizes, random);
      case XA -> new XaDelivery(claims, policy, gateway, breakers, sizes, random);
    };
  }

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
      Map<StoredMessage, String> undeliverable,
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

  /** The changes that were written for a batch. */
  record Settled(SendReport report, List<Failure> failures, boolean putsBack) {}

  /**
   * Resolves, sends and settles messages. Ends the claim's transaction. Releases a probe among the
   * messages even after a failure: otherwise the relay would never send to its destination again.
   *
   * @param admitted the messages to send now, in order
   * @param expired the messages whose time to live is over
   */
  final DeliveryResult deliver(
      Claim claim, Lane lane, List<StoredMessage> admitted, List<StoredMessage> expired)
      throws SQLException {
    try {
      ResolvedBatch resolved = gateway.resolve(admitted);
      Map<StoredMessage, String> undeliverable = new HashMap<>(resolved.altered());
      expired.forEach(message -> undeliverable.put(message, BatchSettlement.EXPIRED));
      Settled settled =
          resolved.isClean()
              ? deliverResolved(claim, lane, resolved.ready(), undeliverable)
              : settleUnresolved(claim, lane, admitted, resolved, undeliverable);
      return new DeliveryResult(
          settled.report(),
          undeliverable,
          settled.failures(),
          !resolved.firstHashes().isEmpty(),
          settled.putsBack());
    } finally {
      breakers.release(admitted);
    }
  }

  /**
   * Sends and settles messages whose payloads are loaded.
   *
   * @param ready to be sent, in order; may be empty
   * @param undeliverable to be settled without being sent, and why
   */
  abstract Settled deliverResolved(
      Claim claim, Lane lane, List<StoredMessage> ready, Map<StoredMessage, String> undeliverable)
      throws SQLException;

  /** On its own: the next pass sends. */
  private Settled settleUnresolved(
      Claim claim,
      Lane lane,
      List<StoredMessage> admitted,
      ResolvedBatch resolved,
      Map<StoredMessage, String> undeliverable)
      throws SQLException {
    claim.keepHashes(resolved.firstHashes());
    SendReport report =
        breakers.onUnresolved(lane.destination(), admitted, SendReport.unresolved(resolved));
    return settle(claim, report, undeliverable);
  }

  /** Writes the outcome of a batch, and commits. */
  final Settled settle(Claim claim, SendReport report, Map<StoredMessage, String> undeliverable)
      throws SQLException {
    BatchSettlement settlement = BatchSettlement.of(report, undeliverable, policy, random);
    claim.complete(settlement);
    claim.commit();
    return new Settled(report, settlement.failures(), !settlement.release().isEmpty());
  }

  /** Sends, and lets batch size and circuit breaker learn from it. */
  final SendReport send(Lane lane, List<StoredMessage> messages) {
    if (messages.isEmpty()) {
      return SendReport.NOTHING;
    }
    String destination = lane.destination();
    TransportSession session = gateway.begin(lane);
    SendReport sent = BatchSender.send(messages, session);
    if (session.wasLate()) {
      sizes.timedOut(destination);
    } else if (!sent.sent().isEmpty()) {
      sizes.succeeded(destination);
    }
    return breakers.onResult(destination, messages, sent);
  }
}
