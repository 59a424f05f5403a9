package io.postbox.inbox.interceptor;

import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.guard.InboxListener;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.annotation.RegistryScope;

/**
 * The metrics, where the server has MicroProfile Metrics; elsewhere this bean is not there, and
 * since none of its fields and methods has a type from there, nobody complains. Dependent, because
 * it is called after completion, where no scope of the application need be active.
 */
@Dependent
class MicroProfileMeters implements InboxListener {
  private final InboxListener counters;

  @Inject
  MicroProfileMeters(
      @RegistryScope(scope = MetricRegistry.APPLICATION_SCOPE) Instance<MetricRegistry> registries,
      InboxExtension extension) {
    counters =
        new MetricCounters(
            registries.get(), extension.installation().config().service(), extension.consumers());
  }

  @Override
  public void happened(MessageEvent event) {
    counters.happened(event);
  }
}
