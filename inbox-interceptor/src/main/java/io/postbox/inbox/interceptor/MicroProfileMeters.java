package io.postbox.inbox.interceptor;

import io.postbox.inbox.guard.InboxMeters;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import org.eclipse.microprofile.metrics.Counter;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;
import org.eclipse.microprofile.metrics.annotation.RegistryScope;

/**
 * The metrics, where the server has MicroProfile Metrics; elsewhere this bean is not there. The
 * application's consumers have theirs from the start. Dependent, because it is called after
 * completion, where no scope of the application need be active.
 */
@Dependent
class MicroProfileMeters implements InboxMeters {
  private final MetricRegistry registry;
  private final String service;

  @Inject
  MicroProfileMeters(
      @RegistryScope(scope = MetricRegistry.APPLICATION_SCOPE) Instance<MetricRegistry> registries,
      InboxExtension extension) {
    registry = registries.get();
    service = extension.installation().config().service();
    for (String consumer : extension.consumers()) {
      for (Outcome outcome : Outcome.values()) {
        counter(consumer, outcome);
      }
    }
  }

  @Override
  public void count(String consumer, Outcome outcome) {
    counter(consumer, outcome).inc();
  }

  private Counter counter(String consumer, Outcome outcome) {
    Metadata metadata =
        switch (outcome) {
          case PROCESSED -> metadata("processed", "Deliveries handled and committed");
          case SKIPPED -> metadata("skipped", "Deliveries skipped as duplicates");
          case QUARANTINED -> metadata("quarantined", "Deliveries kept aside");
          case FAILED -> metadata("failures", "Deliveries rolled back, which come again");
        };
    return registry.counter(metadata, new Tag("service", service), new Tag("consumer", consumer));
  }

  private static Metadata metadata(String name, String description) {
    return Metadata.builder()
        .withName("postbox_inbox_" + name)
        .withDescription(description)
        .build();
  }
}
