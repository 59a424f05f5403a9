package io.postbox.inbox.metrics;

import io.postbox.inbox.config.InboxConfig;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.function.Supplier;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;
import org.eclipse.microprofile.metrics.annotation.RegistryScope;

/**
 * Gauges. A server without MicroProfile Metrics leaves this bean out; that works because no field
 * or method has a type of that API.
 */
@Dependent
class MicroProfileGauges implements GaugeRegistry {
  private final GaugeRegistry gauges;

  @Inject
  MicroProfileGauges(
      @RegistryScope(scope = MetricRegistry.APPLICATION_SCOPE) Instance<MetricRegistry> registries,
      InboxConfig config) {
    String service = config.service();
    MetricRegistry registry = registries.get();
    gauges =
        (name, description, value) ->
            registry.gauge(
                Metadata.builder()
                    .withName("postbox_inbox_" + name)
                    .withDescription(description)
                    .build(),
                value,
                new Tag("service", service));
  }

  @Override
  public void show(String name, String description, Supplier<Integer> value) {
    gauges.show(name, description, value);
  }
}
