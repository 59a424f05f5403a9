package io.postbox.outbox.relay;

import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.SendFailure.Fault;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends one batch, and finds out whose fault it is if that fails: the batch is divided until the
 * culprit stands alone, and nothing with the culprit's ordering key is sent after it. A failure
 * that says nothing of its own is the message's only if another message to the same destination
 * could be sent; until then it is the destination's. Serves one batch on one thread.
 */
final class BatchSending {
  /** So many messages failing alone, and none getting through: the destination is at fault. */
  private static final int SUSPECTS_UNTIL_DESTINATION_IS_AT_FAULT = 3;

  private final TransportWithinLimit transport;
  private final Map<UUID, StoredMessage> sent = new LinkedHashMap<>();
  private final Map<StoredMessage, String> rejected = new HashMap<>();
  private final Map<StoredMessage, String> suspects = new LinkedHashMap<>();
  private final Map<String, String> faulty = new HashMap<>();
  private final Set<Line> stopped = new HashSet<>();

  /** What must stay in order: a destination and a key. */
  private record Line(String destination, @Nullable String orderingKey) {
    static Line of(StoredMessage message) {
      return new Line(message.destination(), message.envelope().orderingKey());
    }
  }

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
    List<StoredMessage> sendable = messages.stream().filter(this::maySend).toList();
    if (sendable.isEmpty()) {
      return;
    }
    try {
      transport.send(sendable);
      sendable.forEach(message -> sent.put(message.envelope().id(), message));
    } catch (SendFailure failure) {
      divide(sendable, failure);
    }
  }

  private void divide(List<StoredMessage> messages, SendFailure failure) {
    if (failure.fault() == Fault.DESTINATION) {
      failure
          .destination()
          .filter(name -> destinations(messages).contains(name))
          .map(Set::of)
          .orElseGet(() -> destinations(messages))
          .forEach(destination -> faulty.put(destination, failure.reason()));
      attempt(messages);
      return;
    }
    List<StoredMessage> blamed = messages.stream().filter(failure::blames).toList();
    if (!blamed.isEmpty()) {
      stop(blamed.get(0), rejected, failure);
      attempt(messages);
    } else if (messages.size() == 1) {
      stop(messages.get(0), suspects, failure);
      suspectDestination(messages.get(0).destination(), failure);
    } else {
      parts(messages).forEach(this::attempt);
    }
  }

  private void stop(
      StoredMessage message, Map<StoredMessage, String> because, SendFailure failure) {
    because.put(message, failure.reason());
    stopped.add(Line.of(message));
  }

  private void suspectDestination(String destination, SendFailure failure) {
    long failedAlone =
        suspects.keySet().stream().filter(it -> it.destination().equals(destination)).count();
    if (failedAlone >= SUSPECTS_UNTIL_DESTINATION_IS_AT_FAULT && !works(destination)) {
      faulty.put(destination, failure.reason());
    }
  }

  private boolean maySend(StoredMessage message) {
    return !faulty.containsKey(message.destination())
        && !sent.containsKey(message.envelope().id())
        && !rejected.containsKey(message)
        && !suspects.containsKey(message)
        && (message.envelope().orderingKey() == null || !stopped.contains(Line.of(message)));
  }

  private boolean works(String destination) {
    return sent.values().stream().anyMatch(it -> it.destination().equals(destination));
  }

  private SendReport report() {
    suspects.forEach(
        (message, reason) -> {
          if (works(message.destination())) {
            rejected.put(message, reason);
          } else {
            faulty.putIfAbsent(message.destination(), reason);
          }
        });
    return new SendReport(List.copyOf(sent.values()), rejected, faulty);
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
