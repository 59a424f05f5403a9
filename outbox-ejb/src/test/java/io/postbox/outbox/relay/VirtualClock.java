package io.postbox.outbox.relay;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that is moved by hand. Thread-safe. */
final class VirtualClock implements InstantSource {
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  @Override
  public synchronized Instant instant() {
    return now;
  }

  synchronized void pass(Duration time) {
    now = now.plus(time);
  }
}
