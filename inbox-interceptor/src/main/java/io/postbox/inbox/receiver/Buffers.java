package io.postbox.inbox.receiver;

import io.postbox.inbox.config.ConsumerConfig.VersionOrder;
import io.postbox.inbox.config.InboxConfig;
import java.util.HashMap;
import java.util.Map;

/**
 * How many messages of each consumer are buffered, because they are too early in the order of
 * versions, and whether it may buffer another. One node counts every few seconds for all nodes;
 * this node adds those that it has buffered meanwhile. So the limit is exceeded only by those that
 * other nodes buffer between two counts. Thread-safe.
 */
public final class Buffers {
  private final InboxConfig config;
  private Map<String, Long> counted = Map.of();
  private Map<String, Long> before = Map.of();
  private Map<String, Long> since = new HashMap<>();

  /**
   * @param config how many each consumer may buffer
   */
  public Buffers(InboxConfig config) {
    this.config = config;
  }

  /**
   * Takes over a count. The messages that this node has buffered since the count before the last
   * are added, because it is unknown which of them were counted.
   */
  public synchronized void counted(Map<String, Long> found) {
    counted = Map.copyOf(found);
    before = since;
    since = new HashMap<>();
  }

  /** Whether a consumer may buffer another message. */
  synchronized boolean haveRoom(String consumer) {
    long used =
        counted.getOrDefault(consumer, 0L)
            + before.getOrDefault(consumer, 0L)
            + since.getOrDefault(consumer, 0L);
    return used < config.of(consumer).order().map(VersionOrder::limit).orElse(0);
  }

  /** Counts a message that this node has buffered. */
  synchronized void added(String consumer) {
    since.merge(consumer, 1L, Long::sum);
  }
}
