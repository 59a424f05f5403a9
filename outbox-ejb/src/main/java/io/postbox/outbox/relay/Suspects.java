package io.postbox.outbox.relay;

import io.postbox.outbox.message.StoredMessage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Messages that failed alone, when nobody could say whether they or their destination were at
 * fault. One that does so again and again, while the destination works for others, is at fault
 * itself. Remembers a bounded number; not thread-safe.
 */
final class Suspects {
  private static final int FAILURES_UNTIL_AT_FAULT = 5;
  private static final int REMEMBERED = 10_000;

  private final Map<UUID, Suspicion> byId = new LinkedHashMap<>();

  /** Only those failures count before which the destination had worked for another message. */
  private record Suspicion(String destination, int failures, boolean destinationWorkedSince) {}

  boolean contains(StoredMessage message) {
    return byId.containsKey(message.envelope().id());
  }

  /** A message got through: it is no suspect, and its destination works. */
  void sent(StoredMessage message) {
    byId.remove(message.envelope().id());
    byId.replaceAll(
        (id, it) ->
            it.destination().equals(message.destination())
                ? new Suspicion(it.destination(), it.failures(), true)
                : it);
  }

  /** A message failed alone. Whether it is proven now that it is at fault. */
  boolean failedAlone(StoredMessage message) {
    UUID id = message.envelope().id();
    Suspicion before = byId.getOrDefault(id, new Suspicion(message.destination(), 0, false));
    int failures = before.failures() + (before.destinationWorkedSince() ? 1 : 0);
    Suspicion after = new Suspicion(before.destination(), failures, false);
    byId.put(id, after);
    if (byId.size() > REMEMBERED) {
      byId.remove(byId.keySet().iterator().next());
    }
    return failures >= FAILURES_UNTIL_AT_FAULT;
  }
}
