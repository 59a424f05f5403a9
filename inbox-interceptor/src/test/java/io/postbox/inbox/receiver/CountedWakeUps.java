package io.postbox.inbox.receiver;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** How often the workers of each consumer were woken. */
final class CountedWakeUps implements WakeUp {
  final Map<String, Integer> captured = new HashMap<>();
  final Map<String, Integer> delayed = new HashMap<>();
  final Map<String, Integer> released = new HashMap<>();

  @Override
  public void captured(String consumer) {
    captured.merge(consumer, 1, Integer::sum);
  }

  @Override
  public void delayed(String consumer, Duration delay) {
    delayed.merge(consumer, 1, Integer::sum);
  }

  @Override
  public void released(String consumer) {
    released.merge(consumer, 1, Integer::sum);
  }
}
