package io.postbox.inbox.metrics;

import io.postbox.common.metrics.Meter;
import io.postbox.common.metrics.Meters;
import io.postbox.common.metrics.Meters.Counter;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The counters of requests in a metrics system. A consumer has all of them from its first request
 * on. Thread-safe.
 */
final class RequestCounters implements RequestListener {
  private final Meters meters;
  private final String service;
  private final Map<String, Map<RequestOutcome, Counter>> counters = new ConcurrentHashMap<>();

  /**
   * @param meters where the metrics go
   * @param service the owner of the tables
   */
  RequestCounters(Meters meters, String service) {
    this.meters = meters;
    this.service = service;
  }

  @Override
  public void answered(String consumer, RequestOutcome outcome) {
    Map<RequestOutcome, Counter> known = counters.get(consumer);
    Map<RequestOutcome, Counter> all =
        known != null ? known : counters.computeIfAbsent(consumer, this::registered);
    Objects.requireNonNull(all.get(outcome)).add(1);
  }

  private Map<RequestOutcome, Counter> registered(String consumer) {
    Map<RequestOutcome, Counter> all = new EnumMap<>(RequestOutcome.class);
    for (RequestOutcome outcome : RequestOutcome.values()) {
      all.put(outcome, meters.counter(meter("requests", consumer).with("outcome", outcome.tag())));
    }
    return all;
  }

  private Meter meter(String name, String consumer) {
    return Meter.of(
            "inbox",
            service,
            name,
            "Requests for idempotent methods of this consumer that this node answered, by outcome")
        .with("consumer", consumer);
  }
}
