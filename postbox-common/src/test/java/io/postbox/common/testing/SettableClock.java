package io.postbox.common.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Time that passes when a test says so. */
public final class SettableClock implements InstantSource {
  private volatile Instant now = Instant.parse("2026-11-01T00:00:00Z");

  @Override
  public Instant instant() {
    return now;
  }

  /** Lets time pass. */
  public void advance(Duration duration) {
    now = now.plus(duration);
  }
}
