package io.postbox.inbox.ops;

import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.receiver.InboxListener;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the deliveries of this node's consumers since it started. Thread-safe. */
public final class Counters implements InboxListener {
  private record Key(String consumer, Class<? extends MessageEvent> what) {}

  private final Map<Key, LongAdder> counts = new ConcurrentHashMap<>();
  private final Set<String> consumers = ConcurrentHashMap.newKeySet();

  @Override
  public void happened(MessageEvent event) {
    consumers.add(event.consumer());
    counts
        .computeIfAbsent(new Key(event.consumer(), event.getClass()), key -> new LongAdder())
        .increment();
  }

  /** The consumers that had a delivery. */
  public Set<String> consumers() {
    return Set.copyOf(consumers);
  }

  /** How many deliveries to a consumer had this outcome. */
  public long of(String consumer, Class<? extends MessageEvent> what) {
    LongAdder count = counts.get(new Key(consumer, what));
    return count == null ? 0 : count.sum();
  }
}
