package io.postbox.outbox.relay;

import io.postbox.common.log.RecordedError;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.SendFailure.Fault;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends one batch to one destination. If that fails, it bisects the batch until the culprit is
 * alone, and sends no later message with the culprit's ordering key. Where an exception does not
 * show whose fault it is, the message is at fault if the broker accepted another one of the batch;
 * otherwise it is a suspect. If there was no time to find out, the destination is at fault. Serves
 * one batch on one thread.
 */
final class BatchSender {
  /** If this many messages fail alone and the broker accepts none, the destination is at fault. */
  static final int SUSPECTS_UNTIL_DESTINATION_IS_AT_FAULT = 3;

  private final List<StoredMessage> batch;
  private final TransportSession transport;
  private final Map<Long, StoredMessage> sent = new LinkedHashMap<>();
  private final Map<Long, Stopped> rejected = new LinkedHashMap<>();
  private final Map<Long, Stopped> suspects = new LinkedHashMap<>();
  private final Map<String, Long> stoppedFrom = new HashMap<>();
  private @Nullable String destinationFault;
  private @Nullable SendFailure unattributed;
  private boolean lost;

  /** A message that failed alone, and why. */
  private record Stopped(StoredMessage message, RecordedError error) {}

  /** The sends of one pass; each one ends within a time limit. */
  interface TransportSession {
    void send(List<StoredMessage> messages) throws SendFailure;

    /** Whether there is time for another batch. */
    default boolean hasTime() {
      return true;
    }
  }

  private BatchSender(List<StoredMessage> batch, TransportSession transport) {
    this.batch = batch;
    this.transport = transport;
  }

  /**
   * @param batch messages to one destination, in order
   */
  static SendReport send(List<StoredMessage> batch, TransportSession transport) {
    BatchSender sending = new BatchSender(batch, transport);
    sending.attempt(batch);
    return sending.report();
  }

  private void attempt(List<StoredMessage> messages) {
    List<StoredMessage> sendable = sendable(messages);
    while (!sendable.isEmpty() && transport.hasTime()) {
      try {
        transport.send(sendable);
        sendable.forEach(message -> sent.put(message.seq(), message));
      } catch (SendFailure failure) {
        learn(sendable, failure);
      }
      sendable = sendable(sendable);
    }
  }

  /** Takes the culprit out of the messages that may be sent, or sends the batch in halves. */
  private void learn(List<StoredMessage> messages, SendFailure failure) {
    if (failure.fault() == Fault.DESTINATION) {
      destinationFault = failure.reason();
      return;
    }
    if (failure.fault() == Fault.CLAIM_LOST) {
      lost = true;
      return;
    }
    Optional<StoredMessage> blamed = messages.stream().filter(failure::blames).findFirst();
    if (blamed.isPresent() && failure.fault() == Fault.DUPLICATE) {
      sent.put(blamed.get().seq(), blamed.get());
      OutboxLog.duplicateRefused(blamed.get().envelope().id(), blamed.get().destination());
    } else if (blamed.isPresent()) {
      stop(blamed.get(), rejected, failure);
    } else if (messages.size() == 1) {
      stop(messages.get(0), suspects, failure);
      if (suspects.size() >= SUSPECTS_UNTIL_DESTINATION_IS_AT_FAULT && sent.isEmpty()) {
        destinationFault = failure.reason();
      }
    } else {
      unattributed = failure;
      int half = messages.size() / 2;
      attempt(List.copyOf(messages.subList(0, half)));
      attempt(List.copyOf(messages.subList(half, messages.size())));
    }
  }

  /**
   * Stops a message and all later ones with its key; earlier ones may still be sent. A later
   * message with that key that was found at fault before counts as waiting from now on.
   */
  private void stop(StoredMessage message, Map<Long, Stopped> because, SendFailure failure) {
    because.put(message.seq(), new Stopped(message, failure.error()));
    String key = message.envelope().orderingKey();
    if (key != null) {
      stoppedFrom.merge(key, message.seq(), Math::min);
      for (Map<Long, Stopped> found : List.of(rejected, suspects)) {
        found.values().removeIf(it -> isBehindStopped(it.message()));
      }
    }
  }

  private List<StoredMessage> sendable(List<StoredMessage> messages) {
    return messages.stream().filter(this::maySend).toList();
  }

  private boolean maySend(StoredMessage message) {
    return destinationFault == null
        && !lost
        && !sent.containsKey(message.seq())
        && !rejected.containsKey(message.seq())
        && !suspects.containsKey(message.seq())
        && !isBehindStopped(message);
  }

  private boolean isBehindStopped(StoredMessage message) {
    String key = message.envelope().orderingKey();
    return key != null && message.seq() > stoppedFrom.getOrDefault(key, Long.MAX_VALUE);
  }

  private SendReport report() {
    if (nothingIsKnown() && unattributed != null) { // else each pass would do the same, in silence
      destinationFault = unattributed.reason();
    }
    if (!sent.isEmpty()) {
      rejected.putAll(suspects);
      suspects.clear();
    }
    return new SendReport(
        List.copyOf(sent.values()),
        errors(rejected.values()),
        errors(suspects.values()),
        Optional.ofNullable(destinationFault));
  }

  private boolean nothingIsKnown() {
    return sent.isEmpty()
        && rejected.isEmpty()
        && suspects.isEmpty()
        && destinationFault == null
        && !lost;
  }

  /**
   * Leaves out messages behind an unsent one of their key: they only wait, and are not at fault.
   */
  private Map<StoredMessage, RecordedError> errors(Collection<Stopped> stopped) {
    return stopped.stream()
        .filter(it -> isFirstLeft(it.message()))
        .collect(Collectors.toMap(Stopped::message, Stopped::error));
  }

  private boolean isFirstLeft(StoredMessage message) {
    String key = message.envelope().orderingKey();
    return key == null
        || batch.stream()
            .takeWhile(it -> it.seq() < message.seq())
            .noneMatch(
                it -> key.equals(it.envelope().orderingKey()) && !sent.containsKey(it.seq()));
  }
}
