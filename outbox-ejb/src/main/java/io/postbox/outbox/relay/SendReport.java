package io.postbox.outbox.relay;

import io.postbox.common.log.RecordedError;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.payload.ResolvedBatch;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of sending a batch. A message that is in none of these was not tried, or the
 * destination is at fault: its row stays unchanged.
 *
 * @param sent messages that the broker has committed
 * @param rejected messages that are at fault themselves, and why
 * @param suspects messages that failed alone while the broker accepted none: they or the
 *     destination may be at fault
 * @param destinationFault why the destination is at fault, if it is
 */
record SendReport(
    List<StoredMessage> sent,
    Map<StoredMessage, RecordedError> rejected,
    Map<StoredMessage, RecordedError> suspects,
    Optional<String> destinationFault) {
  /** Nothing was tried. */
  static final SendReport NOTHING = new SendReport(List.of(), Map.of(), Map.of(), Optional.empty());

  /** The report of a batch that is not sent because payloads are missing. */
  static SendReport unresolved(ResolvedBatch batch) {
    return new SendReport(List.of(), batch.failed(), batch.suspects(), batch.fault());
  }

  /** The report of a batch of which all was sent. */
  static SendReport ofSent(List<StoredMessage> messages) {
    return new SendReport(messages, Map.of(), Map.of(), Optional.empty());
  }

  SendReport {
    sent = List.copyOf(sent);
    rejected = Map.copyOf(rejected);
    suspects = Map.copyOf(suspects);
  }

  /** With other messages at fault. */
  SendReport withRejected(Map<StoredMessage, RecordedError> others) {
    return new SendReport(sent, others, suspects, destinationFault);
  }

  /** As if nothing had been sent. */
  SendReport withoutSent() {
    return new SendReport(List.of(), rejected, suspects, destinationFault);
  }
}
