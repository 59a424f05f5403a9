package io.postbox.outbox.relay;

import io.postbox.common.log.RecordedError;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.CircuitBreaker.State;
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
import java.util.stream.Stream;

/**
 * The circuit breakers of this node, by destination. They are kept in memory and use the node's own
 * clock, because they record what this node observed. Thread-safe; it logs without its lock, for
 * which commits of the application may wait.
 */
public final class CircuitBreakers {
  private final InstantSource clock;
  private final Map<String, CircuitBreaker> open = new HashMap<>();
  private final PoisonMessageDetector suspects = new PoisonMessageDetector();

  /**
   * @param clock the node's clock
   */
  public CircuitBreakers(InstantSource clock) {
    this.clock = clock;
  }

  /** The destinations whose circuit is not closed, and why. */
  public synchronized Map<String, String> openReasons() {
    Map<String, String> reasons = new TreeMap<>();
    open.forEach((destination, breaker) -> reasons.put(destination, breaker.reason()));
    return reasons;
  }

  /**
   * A circuit that is not closed.
   *
   * @param destination the logical name
   * @param halfOpen whether a message may test the destination
   * @param openFor how long ago it opened
   * @param untilProbe how long until a message may test the destination; not positive once one may
   * @param failures how many batches or probes have failed in a row
   * @param reason the last failure
   */
  public record OpenCircuit(
      String destination,
      boolean halfOpen,
      Duration openFor,
      Duration untilProbe,
      int failures,
      String reason) {}

  /** The circuits that are not closed, by destination. */
  synchronized List<OpenCircuit> open() {
    Instant now = clock.instant();
    return new TreeMap<>(open)
        .entrySet().stream()
            .map(
                entry ->
                    new OpenCircuit(
                        entry.getKey(),
                        entry.getValue().state(now) == State.HALF_OPEN,
                        Duration.between(entry.getValue().since(), now),
                        Duration.between(now, entry.getValue().probeAt()),
                        entry.getValue().failures(),
                        entry.getValue().reason()))
            .toList();
  }

  /** Until when no message may be sent to the destination; empty if one may. */
  synchronized Optional<Instant> blockedUntil(String destination) {
    return isPermitted(destination) ? Optional.empty() : nextTry(destination);
  }

  /**
   * When to try messages to a destination next whose circuit is not closed: when a probe becomes
   * permitted, or when more messages may be the probe. The outcome of a probe on its way is soon
   * known.
   */
  synchronized Optional<Instant> nextTry(String destination) {
    CircuitBreaker breaker = open.get(destination);
    if (breaker == null) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    return Stream.of(breaker.probeAt(), breaker.suspectsProbeAt())
        .filter(moment -> breaker.probe() == null && now.isBefore(moment))
        .min(Instant::compareTo)
        .or(() -> Optional.of(now.plus(AdaptivePolling.SHORTEST)));
  }

  /** The state of the circuit to a destination. */
  synchronized State state(String destination) {
    CircuitBreaker breaker = open.get(destination);
    return breaker == null ? State.CLOSED : breaker.state(clock.instant());
  }

  /** Whether a message may be sent to the destination now, even if only as a probe. */
  synchronized boolean isPermitted(String destination) {
    CircuitBreaker breaker = open.get(destination);
    return breaker == null || breaker.isPermitted(clock.instant());
  }

  /**
   * Whether the circuit is not closed and none of these messages can be the probe, because each one
   * failed alone before or waits behind one that did.
   */
  synchronized boolean hasOnlySuspects(String destination, List<StoredMessage> messages) {
    return open.containsKey(destination) && !messages.isEmpty() && probe(messages, true).isEmpty();
  }

  /**
   * Closes circuits that are half-open and have no message left to probe with: another node has
   * sent it, or an operator has removed it.
   *
   * @param withWork the destinations that have messages to be sent
   */
  void forgetIdle(Set<String> withWork) {
    List<String> idle;
    synchronized (this) {
      Instant now = clock.instant();
      idle =
          open.entrySet().stream()
              .filter(
                  entry -> !withWork.contains(entry.getKey()) && entry.getValue().isPermitted(now))
              .map(Map.Entry::getKey)
              .toList();
      idle.forEach(open::remove);
    }
    idle.forEach(OutboxLog::nothingWaits);
  }

  /**
   * Chooses the messages that may be sent to a destination: all of them while the circuit is
   * closed, one as the probe while it is half-open, otherwise none. A message that failed alone
   * before becomes the probe only if there has been no other one for a while. The caller must call
   * {@link #release} afterwards, whatever happens.
   */
  synchronized List<StoredMessage> tryAcquire(String destination, List<StoredMessage> messages) {
    CircuitBreaker breaker = open.get(destination);
    if (breaker == null) {
      return messages;
    }
    Instant now = clock.instant();
    if (!breaker.isPermitted(now)) {
      return List.of();
    }
    Optional<StoredMessage> probe = probe(messages, !breaker.permitsSuspects(now));
    probe.ifPresent(it -> open.put(destination, breaker.acquiredBy(it.envelope().id())));
    return probe.map(List::of).orElseGet(List::of);
  }

  private Optional<StoredMessage> probe(List<StoredMessage> messages, boolean noSuspects) {
    Set<String> behindSuspects = new HashSet<>();
    for (StoredMessage message : messages) {
      String key = message.envelope().orderingKey();
      if (noSuspects && suspects.contains(message)) {
        if (key != null) {
          behindSuspects.add(key);
        }
      } else if (key == null || !behindSuspects.contains(key)) {
        return Optional.of(message);
      }
    }
    return Optional.empty();
  }

  /**
   * Learns from the outcome of the admitted messages.
   *
   * @return the report without suspects: each is at fault, or the destination is
   */
  SendReport onResult(String destination, List<StoredMessage> admitted, SendReport report) {
    List<Runnable> lines = new ArrayList<>();
    SendReport judged;
    synchronized (this) {
      report.sent().forEach(suspects::sent);
      judged = judge(report);
      judged.destinationFault().ifPresent(reason -> trip(destination, reason, lines));
      if (judged.destinationFault().isEmpty()
          && !judged.sent().isEmpty()
          && open.remove(destination) != null) {
        lines.add(() -> OutboxLog.destinationWorks(destination));
      }
      release(admitted);
    }
    lines.forEach(Runnable::run);
    return judged;
  }

  /**
   * Learns from messages whose payload was not resolved. A message whose payload never loads in
   * time counts as at fault after some attempts; otherwise it would wait for ever at a destination
   * that gets no other message.
   */
  SendReport onUnresolved(String destination, List<StoredMessage> admitted, SendReport report) {
    Map<StoredMessage, RecordedError> suspects = new HashMap<>();
    Map<StoredMessage, RecordedError> rejected = new HashMap<>(report.rejected());
    synchronized (this) {
      report
          .suspects()
          .forEach(
              (message, error) -> {
                if (this.suspects.hung(message)) {
                  rejected.put(message, error);
                } else {
                  suspects.put(message, error);
                }
              });
    }
    return onResult(
        destination,
        admitted,
        new SendReport(report.sent(), rejected, suspects, report.destinationFault()));
  }

  private SendReport judge(SendReport report) {
    Map<StoredMessage, RecordedError> rejected = new HashMap<>(report.rejected());
    // Many suspects only make the destination suspicious; that must not clear proven poison
    // messages.
    boolean suspected =
        report.suspects().size() >= BatchSender.SUSPECTS_UNTIL_DESTINATION_IS_AT_FAULT;
    Optional<String> stated = suspected ? Optional.empty() : report.destinationFault();
    Optional<String> fault = stated;
    for (Map.Entry<StoredMessage, RecordedError> suspect : report.suspects().entrySet()) {
      boolean proven = suspects.failedAlone(suspect.getKey());
      if (proven && stated.isEmpty()) {
        rejected.put(suspect.getKey(), suspect.getValue());
      } else if (fault.isEmpty()) {
        fault = Optional.of(suspect.getValue().text());
      }
    }
    return new SendReport(report.sent(), rejected, Map.of(), fault);
  }

  private void trip(String destination, String reason, List<Runnable> lines) {
    Instant now = clock.instant();
    CircuitBreaker before = open.get(destination);
    CircuitBreaker after =
        before == null ? CircuitBreaker.open(now, reason) : before.failedAgain(now, reason);
    open.put(destination, after);
    if (before == null || !before.reason().equals(reason)) {
      Duration wait = Duration.between(now, after.probeAt());
      lines.add(() -> OutboxLog.destinationWaits(destination, wait, reason));
    }
  }

  /** Releases probes that ended without a result; does nothing for other messages. */
  synchronized void release(List<StoredMessage> admitted) {
    for (StoredMessage message : admitted) {
      open.computeIfPresent(
          message.destination(), (name, breaker) -> breaker.releasedBy(message.envelope().id()));
    }
  }
}
