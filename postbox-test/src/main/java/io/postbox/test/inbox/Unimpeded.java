package io.postbox.test.inbox;

import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.receiver.DatabaseAvailability;
import io.postbox.inbox.receiver.DelayedRetry;
import io.postbox.inbox.receiver.DeliveryGate;
import io.postbox.inbox.receiver.RetryThrottle;
import io.postbox.inbox.receiver.WakeUp;
import java.time.Duration;
import java.util.Optional;

/**
 * A gate that is open, before a database that is available. Nothing waits in real time, and nobody
 * goes on with stored messages.
 */
final class Unimpeded implements DeliveryGate, DatabaseAvailability, RetryThrottle, WakeUp {
  @Override
  public void enter(String consumer) {}

  @Override
  public void leave() {}

  @Override
  public boolean isClosed() {
    return false;
  }

  @Override
  public boolean isSuspected() {
    return false;
  }

  @Override
  public long outages() {
    return 0;
  }

  @Override
  public void answered() {}

  @Override
  public void failed(Throwable cause) {}

  @Override
  public void verify(Throwable cause) {}

  @Override
  public void defer(String consumer, DelayedRetry retry) {}

  @Override
  public Optional<DelayedRetry> hold(Delivery delivery) {
    return Optional.empty();
  }

  @Override
  public void pause() {}

  @Override
  public void captured(String consumer) {}

  @Override
  public void delayed(String consumer, Duration delay) {}

  @Override
  public void released(String consumer) {}
}
