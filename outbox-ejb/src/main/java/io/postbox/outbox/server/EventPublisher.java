package io.postbox.outbox.server;

import io.postbox.common.ops.EventQueue;
import io.postbox.common.server.CdiEvents;
import io.postbox.common.time.MonotonicClock;
import io.postbox.outbox.MessageDied;
import io.postbox.outbox.MessageEvent;
import io.postbox.outbox.MessageFailed;
import io.postbox.outbox.MessageSent;
import io.postbox.outbox.log.WatchLog;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.RelayListener;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Fires the outcome of messages as CDI events, if the application observes them. */
@ApplicationScoped
class EventPublisher implements RelayListener {
  private static final int WAITING = 10_000;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @Inject BeanManager beans;
  @Inject Event<MessageEvent> events;

  /**
   * A thread of its own, because the relay needs the executor's few threads and an observer may
   * block one.
   */
  @Resource ManagedThreadFactory threads;

  private volatile @Nullable EventQueue<MessageEvent> queue;
  private boolean sentIsObserved;
  private boolean failedIsObserved;
  private boolean diedIsObserved;

  @PostConstruct
  void start() {
    Optional<String> none = Optional.empty();
    UUID id = new UUID(0, 0);
    CdiEvents<MessageEvent> fired = new CdiEvents<>(beans, events);
    sentIsObserved =
        fired.isObserved(new MessageSent(id, "", none, none, 0, Instant.EPOCH, Duration.ZERO));
    failedIsObserved =
        fired.isObserved(new MessageFailed(id, "", none, none, 1, Instant.EPOCH, ""));
    diedIsObserved = fired.isObserved(new MessageDied(id, "", none, none, 1, Instant.EPOCH, ""));
    queue =
        new EventQueue<>(
            task -> threads.newThread(task).start(),
            fired::fire,
            WAITING,
            PATIENCE,
            MonotonicClock.started(),
            new EventQueue.Log(
                WatchLog::eventsAreDropped,
                WatchLog::eventsAreTakenAgain,
                WatchLog::observerFailed));
  }

  @Override
  public void sent(StoredMessage message) {
    if (sentIsObserved) {
      offer(
          new MessageSent(
              message.envelope().id(),
              message.destination(),
              Optional.ofNullable(message.envelope().eventType()),
              Optional.ofNullable(message.envelope().orderingKey()),
              message.attempts(),
              message.createdAt(),
              message.waited()));
    }
  }

  @Override
  public void attemptFailed(StoredMessage message, int attempt, String reason) {
    if (failedIsObserved) {
      offer(
          new MessageFailed(
              message.envelope().id(),
              message.destination(),
              Optional.ofNullable(message.envelope().eventType()),
              Optional.ofNullable(message.envelope().orderingKey()),
              attempt,
              message.createdAt(),
              reason));
    }
  }

  @Override
  public void died(StoredMessage message, int attempts, String reason) {
    if (diedIsObserved) {
      offer(
          new MessageDied(
              message.envelope().id(),
              message.destination(),
              Optional.ofNullable(message.envelope().eventType()),
              Optional.ofNullable(message.envelope().orderingKey()),
              attempts,
              message.createdAt(),
              reason));
    }
  }

  @Override
  public void polled() {
    // nothing happened to a message
  }

  private void offer(MessageEvent event) {
    EventQueue<MessageEvent> open = queue;
    if (open != null) {
      open.offer(event);
    }
  }

  /** How many events were dropped. */
  long dropped() {
    EventQueue<MessageEvent> open = queue;
    return open == null ? 0 : open.dropped();
  }

  @PreDestroy
  void stop() {
    EventQueue<MessageEvent> open = queue;
    if (open != null) {
      open.stop(Duration.ZERO);
    }
  }
}
