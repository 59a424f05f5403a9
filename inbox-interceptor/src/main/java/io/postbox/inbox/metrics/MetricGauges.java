package io.postbox.inbox.metrics;

import io.postbox.common.metrics.Meter;
import io.postbox.common.metrics.Meter.Unit;
import io.postbox.common.metrics.Meters;
import io.postbox.inbox.ops.CapturedCount;
import io.postbox.inbox.ops.KeptCounts;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** The contract's gauges in a metrics system: they show the last count. Thread-safe. */
final class MetricGauges implements CountListener {
  private final Meters meters;
  private final String service;
  private final Predicate<String> isFull;
  private final Predicate<String> isCaptureFull;
  private final Set<String> shown = ConcurrentHashMap.newKeySet();
  private final Set<String> shownCaptured = ConcurrentHashMap.newKeySet();
  private volatile KeptCounts last = KeptCounts.NOTHING;

  /**
   * @param meters where the metrics go
   * @param service the owner of the tables
   * @param consumers the consumers that have their gauges from the start
   * @param isFull whether a consumer has reached its quota; called at each scrape, so it must be
   *     cheap
   * @param capturing the consumers with captured messages that have their gauges from the start
   * @param isCaptureFull the same for the limit of its captured messages
   */
  MetricGauges(
      Meters meters,
      String service,
      Set<String> consumers,
      Predicate<String> isFull,
      Set<String> capturing,
      Predicate<String> isCaptureFull) {
    this.meters = meters;
    this.service = service;
    this.isFull = isFull;
    this.isCaptureFull = isCaptureFull;
    consumers.forEach(this::show);
    capturing.forEach(this::showCaptured);
  }

  /**
   * Registers gauges also for consumers whose messages were kept aside before this node started.
   */
  @Override
  public void counted(KeptCounts counts) {
    last = counts;
    counts.consumers().forEach(this::show);
    counts.captured().keySet().forEach(this::showCaptured);
  }

  private void show(String consumer) {
    if (shown.add(consumer)) {
      gauge(
          "parked",
          "Messages that this consumer's handler could not handle, and that wait in inbox_parked for an operator; the same on every node",
          Unit.NONE,
          consumer,
          () -> last.parkedOf(consumer));
      gauge(
          "quarantined_messages",
          "Messages for this consumer without a usable id, or with a known id and other content, that wait in inbox_quarantine for an operator; the same on every node",
          Unit.NONE,
          consumer,
          () -> last.quarantinedOf(consumer));
      gauge(
          "kept",
          "How many bytes of this consumer's messages are kept in inbox_parked and inbox_quarantine;"
              + " the same on every node",
          Unit.BYTES,
          consumer,
          () -> last.bytesOf(consumer));
      gauge(
          "quota_full",
          "1 while this consumer has reached its quota of kept messages or of aggregates, else 0; the same on every node within seconds",
          Unit.NONE,
          consumer,
          () -> isFull.test(consumer) ? 1 : 0);
    }
  }

  private void showCaptured(String consumer) {
    if (shownCaptured.add(consumer)) {
      captured(consumer, "pending", CapturedCount::pending);
      captured(consumer, "delayed", CapturedCount::delayed);
      captured(consumer, "held", CapturedCount::held);
      captured(consumer, "parked", CapturedCount::parked);
      gauge(
          "oldest_captured",
          "How long ago the oldest of this consumer's captured messages that are pending, delayed or held was captured, or 0; the same on every node",
          Unit.SECONDS,
          consumer,
          () -> last.capturedOf(consumer).oldest().toMillis() / 1000.0);
      gauge(
          "capture_full",
          "1 while as many captured messages of this consumer wait as may, else 0; the same on every node within seconds",
          Unit.NONE,
          consumer,
          () -> isCaptureFull.test(consumer) ? 1 : 0);
      gauge(
          "handling_paused",
          "1 while an operator has paused the handling of this consumer's captured messages, else 0; the same on every node",
          Unit.NONE,
          consumer,
          () -> last.capturedOf(consumer).isPaused() ? 1 : 0);
    }
  }

  private void captured(String consumer, String status, ToLongFunction<CapturedCount> number) {
    meters.gauge(
        Meter.of(
                "inbox",
                service,
                "captured_messages",
                "Messages in inbox_captured that this consumer's handler has not handled, by status; the same on every node")
            .with("consumer", consumer)
            .with("status", status),
        () -> number.applyAsLong(last.capturedOf(consumer)));
  }

  private void gauge(
      String name, String description, Unit unit, String consumer, DoubleSupplier value) {
    meters.gauge(
        Meter.of("inbox", service, name, description).in(unit).with("consumer", consumer), value);
  }
}
