package io.postbox.outbox.relay;

import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The open circuits of this node, by destination. They live in memory and on the node's own clock,
 * because they say what this node saw. Thread-safe.
 */
public final class Breakers {
  private final InstantSource clock;
  private final Map<String, Breaker> open = new HashMap<>();
  private final Suspects suspects = new Suspects();

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

  /** When a destination may next be probed that may not be now, or with more messages than now. */
  synchronized Optional<Instant> nextProbe() {
    Instant now = clock.instant();
    return open.values().stream()
        .filter(breaker -> breaker.probe() == null)
        .flatMap(breaker -> Stream.of(breaker.probeAt(), breaker.suspectsProbeAt()))
        .filter(now::isBefore)
        .min(Instant::compareTo);
  }

  /**
   * Forgets the destinations that could be probed, because there is nothing to probe them with:
   * another node has sent it, or a person has removed it.
   *
   * @param now when it was found that nothing waits but for blocked destinations
   */
  synchronized void forgetIdle(Instant now) {
    open.entrySet()
        .removeIf(
            entry -> {
              boolean idle = !entry.getValue().blocks(now);
              if (idle) {
                OutboxLog.nothingWaits(entry.getKey());
              }
              return idle;
            });
  }

  /**
   * Chooses what may be sent: all of it, but for a destination in trouble only one message, as the
   * probe; a message that failed alone before is that only if no other has been for a while.
   * Whoever asks owes an answer to {@link #settle}.
   */
  synchronized List<StoredMessage> admit(List<StoredMessage> messages) {
    Instant now = clock.instant();
    Set<Line> behindSuspects = new HashSet<>();
    List<StoredMessage> admitted = new ArrayList<>();
    for (StoredMessage message : messages) {
      Line line = Line.of(message);
      Breaker breaker = open.get(message.destination());
      if (breaker == null) {
        admitted.add(message);
      } else if (suspects.contains(message) && breaker.blocksSuspects(now)) {
        behindSuspects.add(line);
      } else if (!breaker.blocks(now) && !(line.isOrdered() && behindSuspects.contains(line))) {
        open.put(message.destination(), breaker.probedWith(message.envelope().id()));
        admitted.add(message);
      }
    }
    return admitted;
  }

  /**
   * Learns from what became of the admitted messages.
   *
   * @return the report without suspects: each is at fault, or its destination is
   */
  synchronized SendReport settle(List<StoredMessage> admitted, SendReport report) {
    report.sent().forEach(suspects::sent);
    SendReport judged = judge(report);
    judged.faulty().forEach(this::trip);
    for (StoredMessage message : judged.sent()) {
      String destination = message.destination();
      if (!judged.faulty().containsKey(destination) && open.remove(destination) != null) {
        OutboxLog.destinationWorks(destination);
      }
    }
    unprobe(admitted);
    return judged;
  }

  private SendReport judge(SendReport report) {
    Map<StoredMessage, String> rejected = new HashMap<>(report.rejected());
    Map<String, String> faulty = new HashMap<>(report.faulty());
    report
        .suspects()
        .forEach(
            (message, reason) -> {
              boolean proven = suspects.failedAlone(message);
              if (proven && !report.faulty().containsKey(message.destination())) {
                rejected.put(message, reason);
              } else {
                faulty.putIfAbsent(message.destination(), reason);
              }
            });
    return new SendReport(report.sent(), rejected, Map.of(), faulty);
  }

  private void trip(String destination, String reason) {
    Instant now = clock.instant();
    Breaker before = open.get(destination);
    Breaker after = before == null ? Breaker.opened(now, reason) : before.failedAgain(now, reason);
    open.put(destination, after);
    if (before == null || !before.reason().equals(reason)) {
      OutboxLog.destinationWaits(destination, Duration.between(now, after.probeAt()), reason);
    }
  }

  /** Takes back probes that were not answered. */
  synchronized void unprobe(List<StoredMessage> admitted) {
    for (StoredMessage message : admitted) {
      open.computeIfPresent(
          message.destination(), (name, breaker) -> breaker.unprobed(message.envelope().id()));
    }
  }
}
