package io.postbox.outbox.ops;

import io.postbox.outbox.OutboxStatistics.DestinationThroughput;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.RelayListener;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what this node has sent since it started. Names may come from user input, so that only the
 * first {@value #MOST} destinations are counted by name, and the others together. Thread-safe.
 */
public final class Throughput implements RelayListener {
  static final int MOST = 1_000;

  /** The name of all that have none of their own, as in the metrics. */
  static final String OTHER = "other";

  private final Map<String, Counts> counts = new ConcurrentHashMap<>();

  private record Counts(LongAdder sent, LongAdder failed) {
    Counts() {
      this(new LongAdder(), new LongAdder());
    }
  }

  @Override
  public void sent(StoredMessage message) {
    of(message).sent().increment();
  }

  @Override
  public void attemptFailed(StoredMessage message, int attempt, String reason) {
    of(message).failed().increment();
  }

  private Counts of(StoredMessage message) {
    Counts found = counts.get(message.destination());
    return found != null
        ? found
        : counts.computeIfAbsent(
            counts.size() < MOST ? message.destination() : OTHER, name -> new Counts());
  }

  /** The counts of each destination to which anything was sent, by name. */
  public List<DestinationThroughput> byDestination() {
    return counts.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(
            each ->
                new DestinationThroughput(
                    each.getKey(), each.getValue().sent().sum(), each.getValue().failed().sum()))
        .toList();
  }
}
