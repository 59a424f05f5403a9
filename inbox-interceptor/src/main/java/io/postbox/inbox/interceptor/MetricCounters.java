package io.postbox.inbox.interceptor;

import io.postbox.inbox.guard.InboxMeters;
import java.util.Set;
import org.eclipse.microprofile.metrics.Counter;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;

/** The contract's counters in a metric registry. Thread-safe. */
final class MetricCounters implements InboxMeters {
  private final MetricRegistry registry;
  private final String service;

  /**
   * @param registry that of the application
   * @param service the owner of the tables
   * @param consumers those that have their counters from the start
   */
  MetricCounters(MetricRegistry registry, String service, Set<String> consumers) {
    this.registry = registry;
    this.service = service;
    for (String consumer : consumers) {
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
