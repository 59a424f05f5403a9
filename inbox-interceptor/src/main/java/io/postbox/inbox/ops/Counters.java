package io.postbox.inbox.ops;

import io.postbox.inbox.guard.InboxMeters;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What this node's consumers have done since it started. Thread-safe. */
public final class Counters implements InboxMeters {
  private record Key(String consumer, Outcome outcome) {}

  private final Map<Key, LongAdder> counts = new ConcurrentHashMap<>();
  private final Set<String> consumers = ConcurrentHashMap.newKeySet();

  @Override
  public void count(String consumer, Outcome outcome) {
    consumers.add(consumer);
    counts.computeIfAbsent(new Key(consumer, outcome), key -> new LongAdder()).increment();
  }

  /** The consumers that had a delivery. */
  public Set<String> consumers() {
    return Set.copyOf(consumers);
  }

  /** How many deliveries to a consumer ended so. */
  public long of(String consumer, Outcome outcome) {
    LongAdder count = counts.get(new Key(consumer, outcome));
    return count == null ? 0 : count.sum();
  }
}
