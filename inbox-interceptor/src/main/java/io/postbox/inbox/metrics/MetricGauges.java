package io.postbox.inbox.metrics;

import io.postbox.inbox.ops.KeptCounts;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;

/** The contract's gauges in a metric registry: they show the last count. Thread-safe. */
final class MetricGauges implements CountListener {
  private static final Metadata PARKED =
      metadata(
          "parked",
          "Messages that this consumer's handler could not handle, and that wait in inbox_parked for an operator; the same on every node");
  private static final Metadata QUARANTINED =
      metadata(
          "quarantined_messages",
          "Messages for this consumer without a usable id, or with a known id and other content, that wait in inbox_quarantine for an operator; the same on every node");

  private static final Metadata BYTES =
      metadata(
          "kept_bytes",
          "How many bytes of this consumer's messages are kept in inbox_parked and inbox_quarantine;"
              + " the same on every node");
  private static final Metadata FULL =
      metadata(
          "quota_full",
          "1 while this consumer has reached its quota of kept messages or of aggregates, else 0; the same on every node within seconds");

  private final MetricRegistry registry;
  private final String service;
  private final Predicate<String> isFull;
  private final Set<String> shown = ConcurrentHashMap.newKeySet();
  private volatile KeptCounts last = KeptCounts.NOTHING;

  /**
   * @param registry the application's registry
   * @param service the owner of the tables
   * @param consumers the consumers that have their gauges from the start
   * @param isFull whether a consumer has reached its quota; called at each scrape, so it must be
   *     cheap
   */
  MetricGauges(
      MetricRegistry registry, String service, Set<String> consumers, Predicate<String> isFull) {
    this.registry = registry;
    this.service = service;
    this.isFull = isFull;
    consumers.forEach(this::show);
  }

  /**
   * Registers gauges also for consumers whose messages were kept aside before this node started.
   */
  @Override
  public void counted(KeptCounts counts) {
    last = counts;
    counts.consumers().forEach(this::show);
  }

  private void show(String consumer) {
    if (shown.add(consumer)) {
      Tag[] tags = {new Tag("service", service), new Tag("consumer", consumer)};
      registry.gauge(PARKED, () -> last.parkedOf(consumer), tags);
      registry.gauge(QUARANTINED, () -> last.quarantinedOf(consumer), tags);
      registry.gauge(BYTES, () -> last.bytesOf(consumer), tags);
      registry.gauge(FULL, () -> isFull.test(consumer) ? 1 : 0, tags);
    }
  }

  private static Metadata metadata(String name, String description) {
    return Metadata.builder()
        .withName("postbox_inbox_" + name)
        .withDescription(description)
        .build();
  }
}
