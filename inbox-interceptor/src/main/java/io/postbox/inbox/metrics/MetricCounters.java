package io.postbox.inbox.metrics;

import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.MessageFailed;
import io.postbox.inbox.MessageParked;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageQuarantined;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.ReplyRefused;
import io.postbox.inbox.receiver.InboxListener;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.microprofile.metrics.Counter;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.Tag;
import org.jspecify.annotations.Nullable;

/** The contract's counters in a metric registry. Thread-safe. */
final class MetricCounters implements InboxListener {
  private static final Map<Class<? extends MessageEvent>, Metadata> COUNTED =
      Map.of(
          MessageProcessed.class,
              metadata(
                  "processed",
                  "Messages that this consumer has handled on this node, in transactions that committed"),
          MessageSkipped.class,
              metadata(
                  "skipped",
                  "Deliveries to this consumer that this node acknowledged without handling them, by reason"),
          MessageQuarantined.class,
              metadata(
                  "quarantined",
                  "Deliveries to this consumer that this node put into inbox_quarantine"),
          MessageFailed.class,
              metadata(
                  "failures",
                  "Deliveries to this consumer that were rolled back on this node, and are redelivered"),
          ReplyRefused.class,
              metadata(
                  "replies_refused",
                  "Replies of this consumer that this node did not send to the requested destination"));

  private final MetricRegistry registry;
  private final String service;
  private final Map<Key, Counter> counters = new ConcurrentHashMap<>();

  /** A counter; only skipped messages have a reason. */
  private record Key(String consumer, Class<? extends MessageEvent> event, @Nullable Why why) {}

  /**
   * @param registry the application's registry
   * @param service the owner of the tables
   * @param consumers the consumers that have their counters from the start
   */
  MetricCounters(MetricRegistry registry, String service, Set<String> consumers) {
    this.registry = registry;
    this.service = service;
    for (String consumer : consumers) {
      for (Class<? extends MessageEvent> event : COUNTED.keySet()) {
        if (event != MessageSkipped.class) {
          counter(new Key(consumer, event, null));
        }
      }
      for (Why why : Why.values()) {
        counter(new Key(consumer, MessageSkipped.class, why));
      }
    }
  }

  /** {@link MessageParked Parked} messages are counted in the table, because they stay. */
  @Override
  public void happened(MessageEvent event) {
    if (COUNTED.containsKey(event.getClass())) {
      Why why = event instanceof MessageSkipped skipped ? skipped.why() : null;
      counter(new Key(event.consumer(), event.getClass(), why)).inc();
    }
  }

  /** Looks each counter up only once, because the registry searches all its metrics. */
  private Counter counter(Key key) {
    Counter known = counters.get(key);
    return known != null ? known : counters.computeIfAbsent(key, this::registered);
  }

  private Counter registered(Key key) {
    Metadata metadata = COUNTED.get(key.event());
    Tag owner = new Tag("service", service);
    Tag consumer = new Tag("consumer", key.consumer());
    return key.why() == null
        ? registry.counter(metadata, owner, consumer)
        : registry.counter(metadata, owner, consumer, new Tag("reason", reason(key.why())));
  }

  private static String reason(Why why) {
    return switch (why) {
      case DUPLICATE -> "duplicate";
      case STALE -> "stale";
      case FOR_ANOTHER -> "for-another";
    };
  }

  private static Metadata metadata(String name, String description) {
    return Metadata.builder()
        .withName("postbox_inbox_" + name)
        .withDescription(description)
        .build();
  }
}
