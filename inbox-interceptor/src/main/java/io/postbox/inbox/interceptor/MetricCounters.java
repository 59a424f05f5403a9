package io.postbox.inbox.interceptor;

import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.MessageFailed;
import io.postbox.inbox.MessageParked;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageQuarantined;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.guard.InboxListener;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.metrics.Counter;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;

/** The contract's counters in a metric registry. Thread-safe. */
final class MetricCounters implements InboxListener {
  private static final Map<Class<? extends MessageEvent>, Metadata> COUNTED =
      Map.of(
          MessageProcessed.class, metadata("processed", "Deliveries handled and committed"),
          MessageSkipped.class, metadata("skipped", "Deliveries acknowledged and not handled"),
          MessageQuarantined.class, metadata("quarantined", "Deliveries kept aside"),
          MessageFailed.class, metadata("failures", "Deliveries rolled back, which come again"));

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
      COUNTED.values().forEach(counted -> counter(consumer, counted));
    }
  }

  /** What is {@link MessageParked parked} is counted in the table, for it stays. */
  @Override
  public void happened(MessageEvent event) {
    Optional.ofNullable(COUNTED.get(event.getClass()))
        .ifPresent(counted -> counter(event.consumer(), counted).inc());
  }

  private Counter counter(String consumer, Metadata metadata) {
    return registry.counter(metadata, new Tag("service", service), new Tag("consumer", consumer));
  }

  private static Metadata metadata(String name, String description) {
    return Metadata.builder()
        .withName("postbox_inbox_" + name)
        .withDescription(description)
        .build();
  }
}
