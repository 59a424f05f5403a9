package io.postbox.outbox.relay;

import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.SendFailure.Fault;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Sends one batch, and finds out whose fault it is if that fails: the batch is divided until the
 * culprit stands alone, and nothing with the culprit's ordering key is sent after it. A failure
 * that says nothing of its own is the message's if another message to the same destination could be
 * sent; else the message is a suspect. Serves one batch on one thread.
 */
final class BatchSending {
  /** So many messages failing alone, and none getting through: the destination is at fault. */
  private static final int SUSPECTS_UNTIL_DESTINATION_IS_AT_FAULT = 3;

  private final TransportWithinLimit transport;
  private final Map<Long, StoredMessage> sent = new LinkedHashMap<>();
  private final Map<Long, Stopped> rejected = new LinkedHashMap<>();
  private final Map<Long, Stopped> suspects = new LinkedHashMap<>();
  private final Map<String, String> faulty = new HashMap<>();
  private final Map<Line, Long> stoppedFrom = new HashMap<>();

  /** A message that failed alone, and why. */
  private record Stopped(StoredMessage message, String reason) {}

  /** A transport that ends, one way or the other. */
  interface TransportWithinLimit {
    void send(List<StoredMessage> messages) throws SendFailure;
  }

  private BatchSending(TransportWithinLimit transport) {
    this.transport = transport;
  }

  static SendReport send(List<StoredMessage> batch, TransportWithinLimit transport) {
    BatchSending sending = new BatchSending(transport);
    sending.attempt(batch);
    return sending.report();
  }

  private void attempt(List<StoredMessage> messages) {
    List<StoredMessage> sendable = sendable(messages);
    while (!sendable.isEmpty()) {
      try {
        transport.send(sendable);
        sendable.forEach(message -> sent.put(message.seq(), message));
      } catch (SendFailure failure) {
        learn(sendable, failure);
      }
      sendable = sendable(sendable);
    }
  }

  /** Takes something out of what may be sent, or sends the parts. */
  private void learn(List<StoredMessage> messages, SendFailure failure) {
    if (failure.fault() == Fault.DESTINATION) {
      failure
          .destination()
          .filter(name -> destinations(messages).contains(name))
          .map(Set::of)
          .orElseGet(() -> destinations(messages))
          .forEach(destination -> faulty.put(destination, failure.reason()));
      return;
    }
    Optional<StoredMessage> blamed = messages.stream().filter(failure::blames).findFirst();
    if (blamed.isPresent()) {
      stop(blamed.get(), rejected, failure);
    } else if (messages.size() == 1) {
      stop(messages.get(0), suspects, failure);
      suspectDestination(messages.get(0).destination(), failure);
    } else {
      parts(messages).forEach(this::attempt);
    }
  }

  /**
   * Nothing of its line goes after it; what went before it may. So a later message of the line that
   * had been found at fault is now only one that waits.
   */
  private void stop(StoredMessage message, Map<Long, Stopped> because, SendFailure failure) {
    because.put(message.seq(), new Stopped(message, failure.reason()));
    Line line = Line.of(message);
    if (line.isOrdered()) {
      stoppedFrom.merge(line, message.seq(), Math::min);
      for (Map<Long, Stopped> found : List.of(rejected, suspects)) {
        found
            .values()
            .removeIf(
                it -> it.message().seq() > message.seq() && Line.of(it.message()).equals(line));
      }
    }
  }

  private void suspectDestination(String destination, SendFailure failure) {
    long failedAlone =
        suspects.values().stream()
            .filter(it -> it.message().destination().equals(destination))
            .count();
    if (failedAlone >= SUSPECTS_UNTIL_DESTINATION_IS_AT_FAULT && !works(destination)) {
      faulty.put(destination, failure.reason());
    }
  }

  private List<StoredMessage> sendable(List<StoredMessage> messages) {
    return messages.stream().filter(this::maySend).toList();
  }

  private boolean maySend(StoredMessage message) {
    return !faulty.containsKey(message.destination())
        && !sent.containsKey(message.seq())
        && !rejected.containsKey(message.seq())
        && !suspects.containsKey(message.seq())
        && !isBehindStopped(message);
  }

  private boolean isBehindStopped(StoredMessage message) {
    return Line.of(message).isOrdered()
        && message.seq() > stoppedFrom.getOrDefault(Line.of(message), Long.MAX_VALUE);
  }

  private boolean works(String destination) {
    return sent.values().stream().anyMatch(it -> it.destination().equals(destination));
  }

  private SendReport report() {
    Map<Boolean, List<Stopped>> byWorks =
        suspects.values().stream()
            .collect(Collectors.partitioningBy(it -> works(it.message().destination())));
    byWorks.getOrDefault(true, List.of()).forEach(it -> rejected.put(it.message().seq(), it));
    return new SendReport(
        List.copyOf(sent.values()),
        reasons(rejected.values()),
        reasons(byWorks.getOrDefault(false, List.of())),
        faulty);
  }

  private static Map<StoredMessage, String> reasons(Collection<Stopped> stopped) {
    return stopped.stream().collect(Collectors.toMap(Stopped::message, Stopped::reason));
  }

  /** By destination if there are several, else the two halves; always in order. */
  private static Collection<List<StoredMessage>> parts(List<StoredMessage> messages) {
    Map<String, List<StoredMessage>> byDestination =
        messages.stream()
            .collect(
                Collectors.groupingBy(
                    StoredMessage::destination, LinkedHashMap::new, Collectors.toList()));
    if (byDestination.size() > 1) {
      return byDestination.values();
    }
    int half = messages.size() / 2;
    return List.of(
        new ArrayList<>(messages.subList(0, half)),
        new ArrayList<>(messages.subList(half, messages.size())));
  }

  private static Set<String> destinations(List<StoredMessage> messages) {
    return messages.stream().map(StoredMessage::destination).collect(Collectors.toSet());
  }
}
