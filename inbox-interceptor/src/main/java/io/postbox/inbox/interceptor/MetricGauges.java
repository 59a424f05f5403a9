package io.postbox.inbox.interceptor;

import io.postbox.inbox.ops.KeptCounts;
import java.util.Set;
import java.util.function.Supplier;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;

/** The contract's gauge in a metric registry: it shows the last count. Thread-safe. */
final class MetricGauges implements CountListener {
  private static final Metadata PARKED =
      Metadata.builder()
          .withName("postbox_inbox_parked")
          .withDescription("Messages that wait for a person, because their handler could not")
          .build();

  private final MetricRegistry registry;
  private final String service;
  private final Supplier<KeptCounts> last;

  /**
   * @param registry that of the application
   * @param service the owner of the tables
   * @param consumers those that have their gauges from the start
   * @param last the last count; asked at each scrape, so it must cost nothing
   */
  MetricGauges(
      MetricRegistry registry, String service, Set<String> consumers, Supplier<KeptCounts> last) {
    this.registry = registry;
    this.service = service;
    this.last = last;
    consumers.forEach(this::show);
  }

  /** Also consumers whose messages were parked before this node started get their gauges. */
  @Override
  public void counted(KeptCounts counts) {
    counts.parked().keySet().forEach(this::show);
  }

  private void show(String consumer) {
    registry.gauge(
        PARKED,
        () -> last.get().parkedOf(consumer),
        new Tag("service", service),
        new Tag("consumer", consumer));
  }
}
