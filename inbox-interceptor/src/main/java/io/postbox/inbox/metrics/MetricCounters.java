package io.postbox.inbox.metrics;

import io.postbox.common.metrics.Meter;
import io.postbox.common.metrics.Meters;
import io.postbox.common.metrics.Meters.Counter;
import io.postbox.inbox.MessageCaptured;
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
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The contract's counters in a metrics system. Thread-safe. */
final class MetricCounters implements InboxListener {
  private static final Map<Class<? extends MessageEvent>, Counted> COUNTED =
      Map.of(
          MessageProcessed.class,
              new Counted(
                  "processed",
                  "Messages that this consumer has handled on this node, in transactions that committed"),
          MessageSkipped.class,
              new Counted(
                  "skipped",
                  "Deliveries to this consumer that this node acknowledged without handling them, by reason"),
          MessageQuarantined.class,
              new Counted(
                  "quarantined",
                  "Deliveries to this consumer that this node put into inbox_quarantine"),
          MessageFailed.class,
              new Counted(
                  "failures",
                  "Deliveries to this consumer that were rolled back on this node, and are redelivered"),
          MessageCaptured.class,
              new Counted(
                  "captured",
                  "Messages for this consumer that this node has stored to be handled later"),
          ReplyRefused.class,
              new Counted(
                  "replies_refused",
                  "Replies of this consumer that this node did not send to the requested destination"));

  /** A metric that counts events. */
  private record Counted(String name, String description) {}

  private final Meters meters;
  private final String service;
  private final Map<Key, Counter> counters = new ConcurrentHashMap<>();

  /** A counter; only skipped messages have a reason. */
  private record Key(String consumer, Class<? extends MessageEvent> event, @Nullable Why why) {}

  /**
   * @param meters where the metrics go
   * @param service the owner of the tables
   * @param consumers the consumers that have their counters from the start
   */
  MetricCounters(Meters meters, String service, Set<String> consumers) {
    this.meters = meters;
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
      counter(new Key(event.consumer(), event.getClass(), why)).add(1);
    }
  }

  /** Looks each counter up only once, because a registry searches all its metrics. */
  private Counter counter(Key key) {
    Counter known = counters.get(key);
    return known != null ? known : counters.computeIfAbsent(key, this::registered);
  }

  private Counter registered(Key key) {
    Counted counted = Objects.requireNonNull(COUNTED.get(key.event()));
    Meter meter =
        Meter.of("inbox", service, counted.name(), counted.description())
            .with("consumer", key.consumer());
    return meters.counter(key.why() == null ? meter : meter.with("reason", reason(key.why())));
  }

  private static String reason(Why why) {
    return switch (why) {
      case DUPLICATE -> "duplicate";
      case STALE -> "stale";
      case FOR_ANOTHER -> "for-another";
    };
  }
}
