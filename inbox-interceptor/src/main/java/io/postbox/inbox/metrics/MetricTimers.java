package io.postbox.inbox.metrics;

import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.receiver.InboxListener;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;
import org.eclipse.microprofile.metrics.Timer;
import org.jspecify.annotations.Nullable;

/** The contract's timers in a metric registry. Thread-safe. */
final class MetricTimers implements InboxListener {
  private static final Metadata HANDLER =
      metadata(
          "handler",
          "Time that this consumer's handler took for a message on this node, whether it returned"
              + " or threw");
  private static final Metadata AGE =
      metadata(
          "age",
          "Time from enqueue, by the sender's database, until this consumer's handler returned, by"
              + " this node's clock; of messages from an outbox");

  private final MetricRegistry registry;
  private final String service;
  private final Map<String, Timers> known = new ConcurrentHashMap<>();

  record Timers(Timer handler, Timer age) {}

  /**
   * @param registry the application's registry
   * @param service the owner of the tables
   * @param consumers the consumers that have their timers from the start
   */
  MetricTimers(MetricRegistry registry, String service, Set<String> consumers) {
    this.registry = registry;
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
    timers.handler().update(took);
    if (age != null) {
      timers.age().update(age);
    }
  }

  /** Looks each timer up only once, because the registry searches all its metrics. */
  private Timers timers(String consumer) {
    Timers found = known.get(consumer);
    return found != null ? found : known.computeIfAbsent(consumer, this::registered);
  }

  private Timers registered(String consumer) {
    Tag[] tags = {new Tag("service", service), new Tag("consumer", consumer)};
    return new Timers(registry.timer(HANDLER, tags), registry.timer(AGE, tags));
  }

  private static Metadata metadata(String name, String description) {
    return Metadata.builder()
        .withName("postbox_inbox_" + name)
        .withDescription(description)
        .build();
  }
}
