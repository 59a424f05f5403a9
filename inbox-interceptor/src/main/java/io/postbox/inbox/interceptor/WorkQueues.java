package io.postbox.inbox.interceptor;

import io.postbox.inbox.receiver.WakeUp;
import io.postbox.inbox.work.WorkQueue;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The queues of this node's workers, by consumer. Thread-safe. */
@ApplicationScoped
public class WorkQueues implements WakeUp {
  private final Map<String, WorkQueue> captured = new ConcurrentHashMap<>();
  private final Map<String, WorkQueue> released = new ConcurrentHashMap<>();

  /** Adds the queue of a consumer's captured messages. */
  void add(String consumer, WorkQueue queue) {
    captured.put(consumer, queue);
  }

  /** Adds the queue of a consumer's messages that are released in the order of versions. */
  public void addReleased(String consumer, WorkQueue queue) {
    released.put(consumer, queue);
  }

  @Override
  public void captured(String consumer) {
    wake(captured.get(consumer));
  }

  @Override
  public void released(String consumer) {
    wake(released.get(consumer));
  }

  private static void wake(@Nullable WorkQueue queue) {
    if (queue != null) {
      queue.wake();
    }
  }

  /** The queues of captured messages, by consumer. */
  Map<String, WorkQueue> all() {
    return Map.copyOf(captured);
  }
}
