package io.postbox.outbox.relay;

import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The open circuits of this node, by destination. They live in memory and on the node's own clock,
 * because they say what this node saw. Thread-safe.
 */
public final class Breakers {
  private final InstantSource clock;
  private final Map<String, Breaker> open = new HashMap<>();

  /**
   * @param clock the node's clock
   */
  public Breakers(InstantSource clock) {
    this.clock = clock;
  }

  /** The destinations whose messages wait, and why. */
  public synchronized Map<String, String> waiting() {
    Map<String, String> reasons = new TreeMap<>();
    open.forEach((destination, breaker) -> reasons.put(destination, breaker.reason()));
    return reasons;
  }

  /** The destinations that no message may go to now. */
  synchronized Set<String> blocked() {
    Instant now = clock.instant();
    return open.entrySet().stream()
        .filter(entry -> entry.getValue().blocks(now))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** When a destination may be probed again that may not be now. */
  synchronized Optional<Instant> nextProbe() {
    Instant now = clock.instant();
    return open.values().stream()
        .filter(breaker -> breaker.probe() == null)
        .map(Breaker::probeAt)
        .filter(now::isBefore)
        .min(Instant::compareTo);
  }

  /**
   * Chooses what may be sent: all of it, but for a destination in trouble only the first message,
   * as the probe. Whoever asks owes an answer to {@link #settle}.
   */
  synchronized List<StoredMessage> admit(List<StoredMessage> messages) {
    Set<String> blocked = blocked();
    List<StoredMessage> admitted = new ArrayList<>();
    for (StoredMessage message : messages) {
      Breaker breaker = open.get(message.destination());
      if (breaker == null) {
        admitted.add(message);
      } else if (!blocked.contains(message.destination()) && breaker.probe() == null) {
        open.put(message.destination(), breaker.probedWith(message.envelope().id()));
        admitted.add(message);
      }
    }
    return admitted;
  }

  /** Learns from what became of the admitted messages. */
  synchronized void settle(List<StoredMessage> admitted, SendReport report) {
    Instant now = clock.instant();
    report
        .faulty()
        .forEach(
            (destination, reason) -> {
              Breaker before = open.get(destination);
              Breaker after =
                  before == null ? Breaker.opened(now, reason) : before.failedAgain(now, reason);
              open.put(destination, after);
              if (before == null || !before.reason().equals(reason)) {
                OutboxLog.destinationWaits(
                    destination, Duration.between(now, after.probeAt()), reason);
              }
            });
    for (StoredMessage message : report.sent()) {
      String destination = message.destination();
      if (!report.faulty().containsKey(destination) && open.remove(destination) != null) {
        OutboxLog.destinationWorks(destination);
      }
    }
    unprobe(admitted);
  }

  /** Takes back probes that were not answered. */
  synchronized void unprobe(List<StoredMessage> admitted) {
    for (StoredMessage message : admitted) {
      open.computeIfPresent(
          message.destination(), (name, breaker) -> breaker.unprobed(message.envelope().id()));
    }
  }
}
