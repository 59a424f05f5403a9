package io.postbox.outbox.server;

import io.postbox.common.time.MonotonicClock;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.RelayListener;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.annotation.RegistryScope;

/**
 * The metrics. A server without MicroProfile Metrics leaves this bean out; that works because no
 * field or method has a type of that API.
 */
@Dependent
class MicroProfileMeters implements RelayListener {
  private final RelayListener meters;

  @Inject
  MicroProfileMeters(
      @RegistryScope(scope = MetricRegistry.APPLICATION_SCOPE) Instance<MetricRegistry> registries,
      OutboxDatabase database,
      NodeGaugesBean gauges) {
    OutboxConfig config = database.config();
    meters =
        new DestinationMeters(
            registries.get(),
            config.service(),
            config.destinations(),
            gauges,
            MonotonicClock.started());
  }

  @Override
  public void enqueued(String destination, int messages) {
    meters.enqueued(destination, messages);
  }

  @Override
  public void sent(StoredMessage message) {
    meters.sent(message);
  }

  @Override
  public void attemptFailed(StoredMessage message, int attempt, String reason) {
    meters.attemptFailed(message, attempt, reason);
  }

  @Override
  public void died(StoredMessage message, int attempts, String reason) {
    meters.died(message, attempts, reason);
  }

  @Override
  public void polled() {
    meters.polled();
  }
}
