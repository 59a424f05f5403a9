package io.postbox.it.capture;

import io.postbox.inbox.CapturedMessage;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The handler's instructions for each text, and the messages that it received. */
@ApplicationScoped
public class CaptureScript {
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> stops = new ConcurrentHashMap<>();
  private final List<CapturedMessage> received = new CopyOnWriteArrayList<>();

  /** Fails so often, then succeeds. */
  public void fail(String text, int times) {
    failures.put(text, times);
  }

  /** Waits within the handler until the latch is open. */
  public CountDownLatch stopAt(String text) {
    return stops.computeIfAbsent(text, missing -> new CountDownLatch(1));
  }

  /** All calls of the handler for a text, those that failed included. */
  public List<CapturedMessage> received(String text) {
    return received.stream().filter(it -> it.text().orElse("").equals(text)).toList();
  }

  /** All calls of the handler, in their order. */
  public List<CapturedMessage> all() {
    return received;
  }

  void play(CapturedMessage message) {
    received.add(message);
    String text = message.text().orElse("");
    CountDownLatch stop = stops.get(text);
    try {
      if (stop != null && !stop.await(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("nobody lets the handler go on");
      }
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  void perhapsFail(CapturedMessage message) {
    int left = failures.merge(message.text().orElse(""), -1, Integer::sum);
    if (left >= 0) {
      throw new IllegalStateException("the handler fails");
    }
  }
}
