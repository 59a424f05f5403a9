package io.postbox.outbox.relay;

import io.postbox.common.log.RecordedError;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.StoredMessage;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Tells the listener about committed outcomes.
 *
 * @param listener is called for each message
 * @param maxAttempts after how many failed attempts a message is a dead letter, by its destination
 */
record OutcomePublisher(RelayListener listener, ToIntFunction<StoredMessage> maxAttempts) {

  void publish(SendReport report, Map<StoredMessage, RecordedError> undeliverable) {
    report.sent().forEach(listener::sent);
    report.rejected().forEach(this::failed);
    undeliverable.forEach((message, error) -> died(message, message.attempts(), error.text()));
  }

  private void failed(StoredMessage message, RecordedError error) {
    String reason = error.text();
    int attempts = message.attempts() + 1;
    listener.attemptFailed(message, attempts, reason);
    if (attempts >= maxAttempts.applyAsInt(message)) {
      died(message, attempts, reason);
    } else {
      OutboxLog.attemptFailed(message.envelope().id(), message.destination(), attempts, reason);
    }
  }

  private void died(StoredMessage message, int attempts, String reason) {
    OutboxLog.deadLetter(message.envelope().id(), message.destination(), attempts, reason);
    listener.died(message, attempts, reason);
  }
}
