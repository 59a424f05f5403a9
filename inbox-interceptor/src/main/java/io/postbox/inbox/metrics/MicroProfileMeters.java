package io.postbox.inbox.metrics;

import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.ops.KeptCounts;
import io.postbox.inbox.receiver.InboxListener;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.time.Duration;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.annotation.RegistryScope;
import org.jspecify.annotations.Nullable;

/**
 * The metrics. A server without MicroProfile Metrics leaves this bean out; that works because no
 * field or method has a type of that API. Dependent, because it is called after the transaction's
 * completion, where no scope of the application need be active.
 */
@Dependent
class MicroProfileMeters implements InboxListener, CountListener {
  private final InboxListener counters;
  private final InboxListener timers;
  private final CountListener gauges;

  @Inject
  MicroProfileMeters(
      @RegistryScope(scope = MetricRegistry.APPLICATION_SCOPE) Instance<MetricRegistry> registries,
      InboxDatabase database,
      InboxDeployment deployment) {
    MetricRegistry registry = registries.get();
    String service = database.config().service();
    counters = new MetricCounters(registry, service, deployment.consumers());
    timers = new MetricTimers(registry, service, deployment.consumers());
    gauges =
        new MetricGauges(
            registry,
            service,
            deployment.consumers(),
            consumer -> database.quotas().isFull(consumer));
  }

  @Override
  public void happened(MessageEvent event) {
    counters.happened(event);
  }

  @Override
  public void handlerEnded(String consumer, Duration took, @Nullable Duration age) {
    timers.handlerEnded(consumer, took, age);
  }

  @Override
  public void counted(KeptCounts counts) {
    gauges.counted(counts);
  }
}
