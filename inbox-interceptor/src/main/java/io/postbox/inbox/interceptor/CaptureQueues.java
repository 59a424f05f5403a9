package io.postbox.inbox.interceptor;

import io.postbox.inbox.capture.CaptureQueue;
import io.postbox.inbox.receiver.CaptureWakeUp;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The queues of this node's capturing consumers. Thread-safe. */
@ApplicationScoped
class CaptureQueues implements CaptureWakeUp {
  private final Map<String, CaptureQueue> queues = new ConcurrentHashMap<>();

  /** Adds a consumer's queue. */
  void add(String consumer, CaptureQueue queue) {
    queues.put(consumer, queue);
  }

  /** Wakes the consumer's workers on this node. */
  @Override
  public void captured(String consumer) {
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
