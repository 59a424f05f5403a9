package io.postbox.inbox.metrics;

import io.postbox.common.metrics.Meter;
import io.postbox.common.metrics.Meters;
import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.ops.KeptCounts;
import io.postbox.inbox.receiver.InboxListener;
import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All metrics of the inbox. Thread-safe. */
final class InboxMeters implements InboxListener, CountListener, RequestListener, GaugeRegistry {
  private final Meters meters;
  private final String service;
  private final MetricCounters counters;
  private final RequestCounters requests;
  private final MetricTimers timers;
  private final MetricGauges gauges;

  /**
   * @param meters where the metrics go
   * @param service the owner of the tables
   * @param consumers the consumers that have their series from the start
   * @param isFull whether a consumer has reached its quota; called at each scrape, so it must be
   *     cheap
   * @param capturing the consumers that capture their messages
   * @param isCaptureFull whether as many captured messages of a consumer wait as may; called at
   *     each scrape
   */
  InboxMeters(
      Meters meters,
      String service,
      Set<String> consumers,
      Predicate<String> isFull,
      Set<String> capturing,
      Predicate<String> isCaptureFull) {
    this.meters = meters;
    this.service = service;
    counters = new MetricCounters(meters, service, consumers);
    requests = new RequestCounters(meters, service);
    timers = new MetricTimers(meters, service, consumers);
    gauges = new MetricGauges(meters, service, consumers, isFull, capturing, isCaptureFull);
  }

  @Override
  public void happened(MessageEvent event) {
    counters.happened(event);
  }

  @Override
  public void answered(String consumer, RequestOutcome outcome) {
    requests.answered(consumer, outcome);
  }

  @Override
  public void handlerEnded(String consumer, Duration took, @Nullable Duration age) {
    timers.handlerEnded(consumer, took, age);
  }

  @Override
  public void counted(KeptCounts counts) {
    gauges.counted(counts);
  }

  @Override
  public void show(String name, String description, Supplier<Integer> value) {
    meters.gauge(Meter.of("inbox", service, name, description), value::get);
  }

  @Override
  public void showOf(String consumer, String name, String description, Supplier<Integer> value) {
    meters.gauge(
        Meter.of("inbox", service, name, description).with("consumer", consumer), value::get);
  }
}
