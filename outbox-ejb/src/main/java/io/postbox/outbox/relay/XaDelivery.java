package io.postbox.outbox.relay;

import io.postbox.common.log.RecordedError;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.BatchSettlement.RecoverabilityPolicy;
import io.postbox.outbox.relay.PartitionClaims.Claim;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

/**
 * {@code delivery=xa}: claims, completes and sends each batch in one JTA transaction, two-phase, by
 * {@link XaCompletion}. So the claim under which the batch was read ends first, and failures are
 * recorded under another one. Thread-safe.
 */
final class XaDelivery extends DeliveryStrategy {
  private final PartitionClaims claims;

  /**
   * @param claims takes the claims under which failures are recorded
   */
  XaDelivery(
      PartitionClaims claims,
      Function<String, RecoverabilityPolicy> policies,
      Gateway gateway,
      CircuitBreakers breakers,
      AdaptiveBatchSizes sizes,
      DoubleSupplier random,
      InstantSource clock) {
    super(policies, gateway, breakers, sizes, random, clock);
    this.claims = claims;
  }

  @Override
  Settled deliverResolved(
      Claim claim,
      AdmittedBatch batch,
      List<StoredMessage> ready,
      Map<StoredMessage, RecordedError> undeliverable)
      throws SQLException {
    if (!undeliverable.isEmpty()) { // settled on their own: the next pass sends
      return settle(claim, batch.lane().destination(), SendReport.NOTHING, undeliverable);
    }
    claim.commit();
    claim.close();
    SendReport report = send(batch, ready);
    boolean putsBack = report.sent().stream().anyMatch(StoredMessage::isHead);
    if (report.rejected().isEmpty()) {
      return new Settled(report, List.of(), putsBack);
    }
    return recordFailures(batch.lane(), report, putsBack);
  }

  private Settled recordFailures(Lane lane, SendReport report, boolean putsBack)
      throws SQLException {
    Optional<Claim> taken = claims.claim(lane.partition());
    if (taken.isEmpty()) { // they will fail again and are counted then
      return new Settled(report.withRejected(Map.of()), List.of(), putsBack);
    }
    try (Claim claim = taken.get()) {
      SendReport still = report.withRejected(stillThere(claim, lane, report.rejected()));
      Settled settled = settle(claim, lane.destination(), still.withoutSent(), Map.of());
      return new Settled(still, settled.failures(), putsBack || settled.putsBack());
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
}
