package io.postbox.inbox.receiver;

import java.util.HashMap;
import java.util.Map;

/** How often the workers of each consumer were woken. */
final class CountedWakeUps implements CaptureWakeUp {
  final Map<String, Integer> captured = new HashMap<>();

  @Override
  public void captured(String consumer) {
    captured.merge(consumer, 1, Integer::sum);
  }
}
