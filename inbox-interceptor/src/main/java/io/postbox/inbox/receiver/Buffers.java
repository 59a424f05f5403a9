package io.postbox.inbox.receiver;

import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.receiver.Quotas.Used;
import java.util.HashMap;
import java.util.Map;

/**
 * The messages of each consumer that are buffered, because they are too early in the order of
 * versions, and whether it may buffer another: one that exceeds the limit of bytes still may. One
 * node counts every few seconds for all nodes; this node adds those that it has buffered meanwhile.
 * So the limit is exceeded only by those that other nodes buffer between two counts. Thread-safe.
 */
public final class Buffers {
  private final InboxConfig config;
  private Map<String, Used> counted = Map.of();
  private Map<String, Used> before = Map.of();
  private Map<String, Used> since = new HashMap<>();

  /**
   * @param config how much each consumer may buffer
   */
  public Buffers(InboxConfig config) {
    this.config = config;
  }

  /**
   * Takes over a count. The messages that this node has buffered since the count before the last
   * are added, because it is unknown which of them were counted.
   */
  public synchronized void counted(Map<String, Used> found) {
    counted = Map.copyOf(found);
    before = since;
    since = new HashMap<>();
  }

  /** Whether a consumer may buffer another message. */
  synchronized boolean haveRoom(String consumer) {
    Used used =
        counted
            .getOrDefault(consumer, Used.NOTHING)
            .plus(before.getOrDefault(consumer, Used.NOTHING))
            .plus(since.getOrDefault(consumer, Used.NOTHING));
    return config
        .of(consumer)
        .order()
        .filter(order -> !used.reaches(order.limit(), order.bytes(), false))
        .isPresent();
  }

  /** Counts a message of this size that this node has buffered. */
  synchronized void added(String consumer, long bytes) {
    since.merge(consumer, new Used(1, bytes), Used::plus);
  }
}
