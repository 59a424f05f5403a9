package io.postbox.outbox.server;

import io.postbox.outbox.OutboxException;
import io.postbox.outbox.OutboxStatistics;
import io.postbox.outbox.OutboxStatistics.DestinationStatistics;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.RelayListener;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.eclipse.microprofile.metrics.Counter;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;
import org.eclipse.microprofile.metrics.Timer;

/**
 * The contract's metrics in a metric registry, by destination. The gauges share one count of the
 * table, taken after a look of the relay and at most every few seconds. A destination gets its
 * metrics when it is first heard of. Thread-safe.
 */
final class DestinationMeters implements RelayListener {
  private static final long COUNT_AT_MOST_EVERY = Duration.ofSeconds(5).toNanos();
  private static final DestinationStatistics NOTHING =
      new DestinationStatistics("", 0, 0, Duration.ZERO);

  /** What is counted as it happens. */
  private record Meters(Counter relayed, Counter attemptsFailed, Timer relay) {}

  private final MetricRegistry registry;
  private final String service;
  private final OutboxStatistics statistics;
  private final Predicate<String> waits;
  private final Map<String, Meters> known = new ConcurrentHashMap<>();
  private final AtomicLong countedAt = new AtomicLong(System.nanoTime() - COUNT_AT_MOST_EVERY);
  private volatile Map<String, DestinationStatistics> counted = Map.of();

  /**
   * @param registry that of the application
   * @param service the owner of the tables
   * @param statistics counts the table
   * @param waits whether messages to a destination wait because it fails
   */
  DestinationMeters(
      MetricRegistry registry,
      String service,
      OutboxStatistics statistics,
      Predicate<String> waits) {
    this.registry = registry;
    this.service = service;
    this.statistics = statistics;
    this.waits = waits;
  }

  @Override
  public void sent(StoredMessage message) {
    Meters meters = metersOf(message.destination());
    meters.relayed().inc();
    meters.relay().update(message.waited());
  }

  @Override
  public void attemptFailed(StoredMessage message, int attempt, String reason) {
    metersOf(message.destination()).attemptsFailed().inc();
  }

  @Override
  public void died(StoredMessage message, int attempts, String reason) {
    // counted in the table, for a dead letter stays
  }

  @Override
  public void looked() {
    long now = System.nanoTime();
    long before = countedAt.get();
    if (now - before < COUNT_AT_MOST_EVERY || !countedAt.compareAndSet(before, now)) {
      return;
    }
    try {
      counted =
          statistics.byDestination().stream()
              .collect(Collectors.toUnmodifiableMap(DestinationStatistics::destination, it -> it));
      counted.keySet().forEach(this::metersOf);
    } catch (OutboxException failed) {
      OutboxLog.countFailed(failed);
    }
  }

  private Meters metersOf(String destination) {
    return known.computeIfAbsent(destination, this::register);
  }

  private Meters register(String destination) {
    gauge("pending", destination, "Messages still to be sent", it -> it.pending());
    gauge("dead_letters", destination, "Messages kept until a person decides", it -> it.dead());
    gauge(
        "oldest_pending_seconds",
        destination,
        "How long the oldest pending message has waited",
        it -> it.oldestPending().toMillis() / 1_000.0);
    registry.gauge(
        metadata("breaker_open", "1 while messages wait because the destination fails"),
        () -> waits.test(destination) ? 1 : 0,
        tags(destination));
    return new Meters(
        registry.counter(metadata("relayed", "Messages handed over"), tags(destination)),
        registry.counter(metadata("attempts_failed", "Attempts counted"), tags(destination)),
        registry.timer(metadata("relay", "From enqueue to handed over"), tags(destination)));
  }

  private void gauge(
      String name,
      String destination,
      String description,
      ToDoubleFunction<DestinationStatistics> value) {
    registry.gauge(
        metadata(name, description),
        () -> value.applyAsDouble(counted.getOrDefault(destination, NOTHING)),
        tags(destination));
  }

  private static Metadata metadata(String name, String description) {
    return Metadata.builder()
        .withName("postbox_outbox_" + name)
        .withDescription(description)
        .build();
  }

  private Tag[] tags(String destination) {
    return new Tag[] {new Tag("service", service), new Tag("destination", destination)};
  }
}
