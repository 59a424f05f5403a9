package io.postbox.test.inbox;

import io.postbox.inbox.message.DelayedRetry;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.receiver.DatabaseAvailability;
import io.postbox.inbox.receiver.DeliveryGate;
import io.postbox.inbox.receiver.RetryThrottle;
import io.postbox.inbox.receiver.WakeUp;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * A gate that is open, before a database that is available. Nothing waits in real time: the broker
 * delivers a message that waits there when it is due. Nobody is woken to go on with stored
 * messages: the test does that. Thread-safe.
 */
final class Unimpeded implements DeliveryGate, DatabaseAvailability, RetryThrottle, WakeUp {
  private final Consumer<Duration> retries;
  private final Map<Message, DelayedRetry> deferred = new ConcurrentHashMap<>();

  private record Message(String consumer, String id) {}

  /**
   * @param retries is told of the delays after which stored messages are retried
   */
  Unimpeded(Consumer<Duration> retries) {
    this.retries = retries;
  }

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
  public void defer(String consumer, DelayedRetry retry) {
    deferred.put(new Message(consumer, retry.messageId()), retry);
  }

  @Override
  public Optional<DelayedRetry> hold(Delivery delivery) {
    Message message = new Message(delivery.consumer(), delivery.knownId().orElse(""));
    return Optional.ofNullable(deferred.remove(message))
        .map(it -> new DelayedRetry(it.messageId(), Duration.ZERO, it.waitedFor(), it.waits()));
  }

  @Override
  public void pause() {}

  @Override
  public void captured(String consumer) {}

  @Override
  public void delayed(String consumer, Duration delay) {
    retries.accept(delay);
  }

  @Override
  public void released(String consumer) {}
}
