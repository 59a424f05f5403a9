package io.postbox.outbox.relay;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many messages to send to a destination at once: the configured batch size, halved after each
 * batch that the broker did not finish in time and doubled after each one that it did. Thread-safe.
 */
final class AdaptiveBatchSizes {
  private final int configured;
  private final Map<String, Integer> reduced = new ConcurrentHashMap<>();

  AdaptiveBatchSizes(int configured) {
    this.configured = configured;
  }

  int of(String destination) {
    return reduced.getOrDefault(destination, configured);
  }

  void timedOut(String destination) {
    reduced.merge(destination, half(configured), (before, start) -> half(before));
  }

  void succeeded(String destination) {
    reduced.computeIfPresent(
        destination, (name, before) -> before * 2 >= configured ? null : before * 2);
  }

  private static int half(int size) {
    return Math.max(1, size / 2);
  }
}
