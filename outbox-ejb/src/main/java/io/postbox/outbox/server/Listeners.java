package io.postbox.outbox.server;

import io.postbox.outbox.relay.RelayListener;
import java.time.Duration;
import java.util.List;

/** Passes on to all; there may be none, where the server has no metrics. */
record Listeners(List<RelayListener> all) implements RelayListener {
  @Override
  public void relayed(String destination, Duration waited) {
    all.forEach(listener -> listener.relayed(destination, waited));
  }

  @Override
  public void attemptFailed(String destination) {
    all.forEach(listener -> listener.attemptFailed(destination));
  }

  @Override
  public void looked() {
    all.forEach(RelayListener::looked);
  }
}
