package io.postbox.inbox.receiver;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Backlogs in memory. */
final class CountedBacklogs implements Backlogs {
  final Map<String, Integer> captured = new HashMap<>();
  final Set<String> full = new HashSet<>();

  @Override
  public boolean hasRoom(String consumer) {
    return !full.contains(consumer);
  }

  @Override
  public void captured(String consumer, long bytes) {
    captured.merge(consumer, 1, Integer::sum);
  }
}
