package io.postbox.inbox.metrics;

import io.postbox.common.metrics.Meter;
import io.postbox.common.metrics.Meters;
import io.postbox.common.metrics.Meters.Timer;
import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.receiver.InboxListener;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The contract's timers in a metrics system. Thread-safe. */
final class MetricTimers implements InboxListener {
  private final Meters meters;
  private final String service;
  private final Map<String, Timers> known = new ConcurrentHashMap<>();

  record Timers(Timer handler, Timer age) {}

  /**
   * @param meters where the metrics go
   * @param service the owner of the tables
   * @param consumers the consumers that have their timers from the start
   */
  MetricTimers(Meters meters, String service, Set<String> consumers) {
    this.meters = meters;
    this.service = service;
    consumers.forEach(this::timers);
  }

  @Override
  public void happened(MessageEvent event) {
    // counted, but not timed
  }

  @Override
  public void handlerEnded(String consumer, Duration took, @Nullable Duration age) {
    Timers timers = timers(consumer);
    timers.handler().record(took);
    if (age != null) {
      timers.age().record(age);
    }
  }

  /** Looks each timer up only once, because a registry searches all its metrics. */
  private Timers timers(String consumer) {
    Timers found = known.get(consumer);
    return found != null ? found : known.computeIfAbsent(consumer, this::registered);
  }

  private Timers registered(String consumer) {
    return new Timers(
        timer(
            "handler",
            "Time that this consumer's handler took for a message on this node, whether it returned"
                + " or threw",
            consumer),
        timer(
            "age",
            "Time from enqueue, by the sender's database, until this consumer's handler returned, by"
                + " this node's clock; of messages from an outbox",
            consumer));
  }

  private Timer timer(String name, String description, String consumer) {
    return meters.timer(Meter.of("inbox", service, name, description).with("consumer", consumer));
  }
}
