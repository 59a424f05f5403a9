package io.postbox.inbox.interceptor;

import io.postbox.inbox.capture.CaptureQueue;
import io.postbox.inbox.receiver.Backlogs;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** The queues of this node's capturing consumers. Thread-safe. */
@ApplicationScoped
class CaptureQueues implements Backlogs {
  private final Map<String, CaptureQueue> queues = new ConcurrentHashMap<>();
  private volatile Predicate<String> room = consumer -> true;

  /** Adds a consumer's queue. */
  void add(String consumer, CaptureQueue queue) {
    queues.put(consumer, queue);
  }

  /** Says which consumers may capture another message. */
  void limitedBy(Predicate<String> other) {
    room = other;
  }

  @Override
  public boolean hasRoom(String consumer) {
    return room.test(consumer);
  }

  /** Wakes the consumer's workers on this node. */
  @Override
  public void captured(String consumer, long bytes) {
    CaptureQueue queue = queues.get(consumer);
    if (queue != null) {
      queue.wake();
    }
  }

  /** All queues, by consumer. */
  Map<String, CaptureQueue> all() {
    return Map.copyOf(queues);
  }
}
