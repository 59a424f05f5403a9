package io.postbox.outbox.relay;

import io.postbox.outbox.message.StoredMessage;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Finds poison messages among those that failed alone, without an error that tells whether the
 * message or its destination is at fault. A message that fails again and again while its
 * destination takes others is poison. So is one whose payload was not resolved in time many times.
 * Remembers a bounded number; not thread-safe.
 */
final class PoisonMessageDetector {
  private static final int FAILURES_UNTIL_AT_FAULT = 5;
  private static final int REMEMBERED = 10_000;

  /** After how many payload loads that did not end in time the message is at fault. */
  static final int HANGS_UNTIL_AT_FAULT = 20;

  private final Map<UUID, IsolatedFailures> byId = new LinkedHashMap<>();
  private final Map<UUID, Integer> hangs = new LinkedHashMap<>();

  /** How many messages each destination took while there were suspects. */
  private final Map<String, Long> taken = new HashMap<>();

  /**
   * Counts a failure only if the destination has accepted another message since the last one.
   *
   * @param takenBefore how many the destination had taken at the last failure
   */
  private record IsolatedFailures(int failures, long takenBefore) {}

  boolean contains(StoredMessage message) {
    return byId.containsKey(message.envelope().id());
  }

  /** The broker accepted a message: it is no suspect, and its destination works. */
  void sent(StoredMessage message) {
    UUID id = message.envelope().id();
    hangs.remove(id);
    byId.remove(id);
    if (byId.isEmpty()) {
      taken.clear(); // only compared for suspects
    } else {
      taken.merge(message.destination(), 1L, Long::sum);
    }
  }

  /** Notes that a message failed alone, and returns whether it is proven poison now. */
  boolean failedAlone(StoredMessage message) {
    UUID id = message.envelope().id();
    long now = taken.getOrDefault(message.destination(), 0L);
    IsolatedFailures before = byId.getOrDefault(id, new IsolatedFailures(0, now));
    int failures = before.failures() + (now > before.takenBefore() ? 1 : 0);
    byId.put(id, new IsolatedFailures(failures, now));
    forgetOldest(byId);
    return failures >= FAILURES_UNTIL_AT_FAULT;
  }

  /**
   * Notes that a message's payload was not loaded in time, and returns whether that has happened
   * too often.
   */
  boolean hung(StoredMessage message) {
    int times = hangs.merge(message.envelope().id(), 1, Integer::sum);
    forgetOldest(hangs);
    return times >= HANGS_UNTIL_AT_FAULT;
  }

  private static void forgetOldest(Map<UUID, ?> remembered) {
    if (remembered.size() > REMEMBERED) {
      remembered.remove(remembered.keySet().iterator().next());
    }
  }
}
