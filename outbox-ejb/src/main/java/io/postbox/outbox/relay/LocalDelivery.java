package io.postbox.outbox.relay;

import io.postbox.common.log.RecordedError;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.BatchSettlement.RecoverabilityPolicy;
import io.postbox.outbox.relay.PartitionClaims.Claim;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

/**
 * {@code delivery=local}: sends in a JMS transaction of its own while the claim is held, and
 * settles the batch in the claim's transaction after the broker has committed. After a crash
 * between the two, the batch is sent again. Thread-safe.
 */
final class LocalDelivery extends DeliveryStrategy {
  LocalDelivery(
      Function<String, RecoverabilityPolicy> policies,
      Gateway gateway,
      CircuitBreakers breakers,
      AdaptiveBatchSizes sizes,
      DoubleSupplier random,
      InstantSource clock) {
    super(policies, gateway, breakers, sizes, random, clock);
  }

  @Override
  Settled deliverResolved(
      Claim claim,
      AdmittedBatch batch,
      List<StoredMessage> ready,
      Map<StoredMessage, RecordedError> undeliverable)
      throws SQLException {
    return settle(claim, batch.lane().destination(), send(batch, ready), undeliverable);
  }
}
