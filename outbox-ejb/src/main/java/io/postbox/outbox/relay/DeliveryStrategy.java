package io.postbox.outbox.relay;

import io.postbox.outbox.config.OutboxConfig.Delivery;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.BatchProcessor.Gateway;
import io.postbox.outbox.relay.BatchSender.TransportSession;
import io.postbox.outbox.relay.BatchSettlement.Policy;
import io.postbox.outbox.relay.PartitionClaims.Claim;
import io.postbox.outbox.store.ClaimStore.Failure;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/** What is done with the messages of a batch that may go now: open, send, complete. Thread-safe. */
final class DeliveryStrategy {
  private final PartitionClaims claims;
  private final Gateway gateway;
  private final CircuitBreakers breakers;
  private final AdaptiveBatchSizes sizes;
  private final Policy policy;
  private final DoubleSupplier random;

  DeliveryStrategy(
      PartitionClaims claims,
      Gateway gateway,
      CircuitBreakers breakers,
      AdaptiveBatchSizes sizes,
      Policy policy,
      DoubleSupplier random) {
    this.claims = claims;
    this.gateway = gateway;
    this.breakers = breakers;
    this.sizes = sizes;
    this.policy = policy;
    this.random = random;
  }

  /**
   * What became of the messages.
   *
   * @param report of those that were tried
   * @param undeliverable those that must not be sent, and why
   * @param failures what was written of those that failed or are doomed
   * @param firstLoads whether payloads were loaded for the first time, so that they can go next
   * @param putsBack whether messages went back to work that had been held
   */
  record Done(
      SendReport report,
      Map<StoredMessage, String> undeliverable,
      List<Failure> failures,
      boolean firstLoads,
      boolean putsBack) {
    /** How many are no longer to be sent now. */
    int gone() {
      return report.sent().size() + failures.size();
    }
  }

  private record Written(SendReport report, List<Failure> failures, boolean putsBack) {}

  /**
   * Opens and sends messages, and writes what became of them. Ends the claim's transaction.
   * Whatever breaks down on the way, the probe among them, if one is, is given back: else nothing
   * would ever go to its destination again.
   *
   * @param admitted may be tried now, in order
   * @param expired came too late to be tried
   */
  Done with(Claim claim, Lane lane, List<StoredMessage> admitted, List<StoredMessage> expired)
      throws SQLException {
    try {
      return dealt(claim, lane, admitted, expired);
    } finally {
      breakers.unprobe(admitted);
    }
  }

  private Done dealt(
      Claim claim, Lane lane, List<StoredMessage> admitted, List<StoredMessage> expired)
      throws SQLException {
    ResolvedBatch opened = gateway.open(admitted);
    Map<StoredMessage, String> undeliverable = new HashMap<>(opened.altered());
    expired.forEach(message -> undeliverable.put(message, BatchSettlement.EXPIRED));
    Written written = deal(claim, lane, admitted, opened, undeliverable);
    return new Done(
        written.report(),
        undeliverable,
        written.failures(),
        !opened.firstHashes().isEmpty(),
        written.putsBack());
  }

  private Written deal(
      Claim claim,
      Lane lane,
      List<StoredMessage> admitted,
      ResolvedBatch opened,
      Map<StoredMessage, String> undeliverable)
      throws SQLException {
    if (!opened.isClean()) { // written on its own: the next pass gateway
      claim.keepHashes(opened.firstHashes());
      return write(
          claim,
          breakers.settleUnopened(lane.destination(), admitted, opened.report()),
          undeliverable);
    }
    if (policy.delivery() == Delivery.LOCAL) {
      return write(claim, send(lane, opened.ready()), undeliverable);
    }
    if (!undeliverable.isEmpty()) { // on their own, too
      return write(claim, SendReport.NOTHING, undeliverable);
    }
    return inTwoPhases(claim, lane, opened.ready());
  }

  /** After the broker has committed: a crash in between repeats the batch. */
  private Written write(Claim claim, SendReport report, Map<StoredMessage, String> undeliverable)
      throws SQLException {
    BatchSettlement settlement = BatchSettlement.of(report, undeliverable, policy, random);
    claim.complete(settlement);
    claim.commit();
    return new Written(report, settlement.failures(), !settlement.release().isEmpty());
  }

  /**
   * The transport claims, completes and sends in transactions of its own. So this claim ends
   * before, and what failed is written under another.
   */
  private Written inTwoPhases(Claim claim, Lane lane, List<StoredMessage> ready)
      throws SQLException {
    claim.commit();
    claim.close();
    SendReport report = send(lane, ready);
    boolean putBack = report.sent().stream().anyMatch(StoredMessage::isHead);
    if (report.rejected().isEmpty()) {
      return new Written(report, List.of(), putBack);
    }
    Optional<Claim> again = claims.claim(lane.partition());
    if (again.isEmpty()) { // they fail again, and are counted then
      return new Written(report.withRejected(Map.of()), List.of(), putBack);
    }
    try (Claim second = again.get()) {
      SendReport still = report.withRejected(stillThere(second, lane, report.rejected()));
      BatchSettlement settlement =
          BatchSettlement.of(still.withoutSent(), Map.of(), policy, random);
      second.complete(settlement);
      second.commit();
      return new Written(still, settlement.failures(), putBack || !settlement.release().isEmpty());
    }
  }

  /**
   * Those that nobody else has dealt with while there was no claim, as they are now: one may hold
   * its key by now, and one that waits behind another is not to blame yet, nor can it hold its key.
   */
  private static Map<StoredMessage, String> stillThere(
      Claim claim, Lane lane, Map<StoredMessage, String> rejected) throws SQLException {
    Map<StoredMessage, String> there = new HashMap<>();
    for (Map.Entry<StoredMessage, String> entry : rejected.entrySet()) {
      StoredMessage before = entry.getKey();
      claim.read(lane.destination(), before.seq() - 1, 1).messages().stream()
          .filter(it -> it.seq() == before.seq() && it.attempts() == before.attempts())
          .filter(it -> !it.isFollower())
          .forEach(it -> there.put(it, entry.getValue()));
    }
    return there;
  }

  private SendReport send(Lane lane, List<StoredMessage> admitted) {
    if (admitted.isEmpty()) {
      return SendReport.NOTHING;
    }
    String destination = lane.destination();
    TransportSession transport = gateway.begin(lane);
    SendReport sent = BatchSender.send(admitted, transport);
    if (transport.wasLate()) {
      sizes.timedOut(destination);
    } else if (!sent.sent().isEmpty()) {
      sizes.succeeded(destination);
    }
    return breakers.settle(destination, admitted, sent);
  }
}
