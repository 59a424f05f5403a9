package io.postbox.outbox.relay;

import io.postbox.common.log.RecordedError;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.ClaimStore.Failure;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Tells the listener about committed outcomes.
 *
 * @param listener is called for each message
 */
record OutcomePublisher(RelayListener listener) {

  /**
   * @param report the outcome of the messages that the relay tried to send
   * @param undeliverable those that must not be sent, and why
   * @param failures as they were recorded: the policy may have changed since
   */
  void publish(
      SendReport report, Map<StoredMessage, RecordedError> undeliverable, List<Failure> failures) {
    report.sent().forEach(listener::sent);
    Set<Long> dead =
        failures.stream().filter(Failure::dead).map(Failure::seq).collect(Collectors.toSet());
    report
        .rejected()
        .forEach((message, error) -> failed(message, error, dead.contains(message.seq())));
    undeliverable.forEach((message, error) -> died(message, message.attempts(), error.text()));
  }

  private void failed(StoredMessage message, RecordedError error, boolean isDead) {
    String reason = error.text();
    int attempts = message.attempts() + 1;
    listener.attemptFailed(message, attempts, reason);
    if (isDead) {
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
