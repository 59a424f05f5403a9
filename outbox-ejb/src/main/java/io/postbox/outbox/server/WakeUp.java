package io.postbox.outbox.server;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.store.MessageStore.NewMessage;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Wakes this node's relay after the commit of a transaction that has enqueued messages. */
final class WakeUp implements Synchronization {
  private final AfterCommit relay;
  private final Set<Lane> lanes = new HashSet<>();
  private final Map<String, Integer> enqueued = new HashMap<>();
  private @Nullable Instant firstDue;

  WakeUp(AfterCommit relay) {
    this.relay = relay;
  }

  /** Adds a message of the transaction. */
  void add(NewMessage message) {
    enqueued.merge(message.lane().destination(), 1, Integer::sum);
    Instant due = message.notBefore();
    if (due == null || !due.isAfter(Instant.now())) {
      lanes.add(message.lane());
    }
    if (due != null && (firstDue == null || due.isBefore(firstDue))) {
      firstDue = due;
    }
  }

  @Override
  public void beforeCompletion() {
    // nothing to do before
  }

  @Override
  public void afterCompletion(int status) {
    if (status == Status.STATUS_COMMITTED) {
      relay.wake(
          lanes, Optional.ofNullable(firstDue).map(due -> Duration.between(Instant.now(), due)));
      relay.enqueued(enqueued);
    }
  }
}
