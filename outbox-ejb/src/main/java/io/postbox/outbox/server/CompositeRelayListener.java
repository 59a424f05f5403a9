package io.postbox.outbox.server;

import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.RelayListener;
import java.util.List;
import java.util.function.Consumer;

/**
 * Passes events on to all listeners; there are none on a server without metrics. A failing listener
 * affects neither the others nor the relay.
 */
record CompositeRelayListener(List<RelayListener> all) implements RelayListener {
  @Override
  public void enqueued(String destination, int messages) {
    tell(listener -> listener.enqueued(destination, messages));
  }

  @Override
  public void sent(StoredMessage message) {
    tell(listener -> listener.sent(message));
  }

  @Override
  public void attemptFailed(StoredMessage message, int attempt, String reason) {
    tell(listener -> listener.attemptFailed(message, attempt, reason));
  }

  @Override
  public void died(StoredMessage message, int attempts, String reason) {
    tell(listener -> listener.died(message, attempts, reason));
  }

  @Override
  public void polled() {
    tell(RelayListener::polled);
  }

  private void tell(Consumer<RelayListener> event) {
    for (RelayListener listener : all) {
      try {
        event.accept(listener);
      } catch (RuntimeException
          | Error failed) { // the batch has been sent, even if a listener missed it
        OutboxLog.listenerFailed(failed);
      }
    }
  }
}
