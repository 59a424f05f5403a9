package io.postbox.outbox.server;

import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.relay.RelayListener;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Passes on to all; there may be none, where the server has no metrics. One that fails hurts
 * neither the others nor the relay.
 */
record Listeners(List<RelayListener> all) implements RelayListener {
  @Override
  public void relayed(String destination, Duration waited) {
    tell(listener -> listener.relayed(destination, waited));
  }

  @Override
  public void attemptFailed(String destination) {
    tell(listener -> listener.attemptFailed(destination));
  }

  @Override
  public void looked() {
    tell(RelayListener::looked);
  }

  private void tell(Consumer<RelayListener> event) {
    for (RelayListener listener : all) {
      try {
        event.accept(listener);
      } catch (RuntimeException failed) {
        OutboxLog.listenerFailed(failed);
      }
    }
  }
}
