package io.postbox.outbox.relay;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many messages to send to a destination at once. A batch begins small, so that a message that
 * comes alone or fails costs little. It doubles while there are more messages than fit and the
 * broker is quick, so that the fixed cost of a batch is shared by many, and halves when the broker
 * is slow, when it did not manage a batch in time, or when the messages no longer fill it.
 * Thread-safe.
 */
final class AdaptiveBatchSizes {
  /** In messages; fewer if fewer are configured. */
  static final int INITIAL = 100;

  /** A broker that takes a batch within this time gets more at once. */
  static final Duration QUICK = Duration.ofMillis(250);

  /** One that needs longer than this gets fewer; a claim is held as long. */
  static final Duration SLOW = Duration.ofSeconds(1);

  private final int maximum;
  private final int initial;

  /** A destination that is not in it has the initial size. */
  private final Map<String, Integer> sizes = new ConcurrentHashMap<>();

  /**
   * @param maximum in messages, at least 1
   */
  AdaptiveBatchSizes(int maximum) {
    this.maximum = maximum;
    initial = Math.min(INITIAL, maximum);
  }

  /** In messages. */
  int maximum() {
    return maximum;
  }

  /** Whether the destination did not manage batches of the initial size in time. */
  boolean isReduced(String destination) {
    return of(destination) < initial;
  }

  int of(String destination) {
    return sizes.getOrDefault(destination, initial);
  }

  /** Messages were refused one by one, each of which costs another send of the others. */
  void rejected(String destination) {
    set(destination, Math.min(initial, of(destination)));
  }

  /**
   * The broker did not answer in time.
   *
   * @param messages how many it was sent
   */
  void timedOut(String destination, int messages) {
    set(destination, Math.min(of(destination), messages) / 2);
  }

  /**
   * The broker took a batch.
   *
   * @param full whether there may be more messages than the batch had room for
   * @param took from the first send to the commit
   */
  void succeeded(String destination, boolean full, Duration took) {
    int size = of(destination);
    if (size < initial) { // recovers from time-outs
      set(destination, Math.min(initial, size * 2));
    } else if (full && took.compareTo(QUICK) <= 0) {
      set(destination, size * 2);
    } else if (!full || took.compareTo(SLOW) > 0) {
      set(destination, Math.max(initial, size / 2));
    }
  }

  private void set(String destination, int size) {
    if (size == initial) {
      sizes.remove(destination);
    } else {
      sizes.put(destination, Math.max(1, Math.min(maximum, size)));
    }
  }
}
