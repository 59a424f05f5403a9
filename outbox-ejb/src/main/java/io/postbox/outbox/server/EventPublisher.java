package io.postbox.outbox.server;

import io.postbox.common.server.ObservedEvents;
import io.postbox.outbox.MessageDied;
import io.postbox.outbox.MessageEvent;
import io.postbox.outbox.MessageFailed;
import io.postbox.outbox.MessageSent;
import io.postbox.outbox.log.OutboxLog;
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
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadFactory;

/** Fires the outcome of messages as CDI events, if the application observes them. */
@ApplicationScoped
class EventPublisher implements RelayListener {
  @Inject BeanManager beans;
  @Inject Event<MessageEvent> events;

  /**
   * A thread of its own, because the relay needs the executor's few threads and an observer may
   * block one.
   */
  @Resource ManagedThreadFactory threads;

  @Inject StartContext context;

  private ObservedEvents<MessageEvent> observed;

  @PostConstruct
  void start() {
    Optional<String> none = Optional.empty();
    UUID id = new UUID(0, 0);
    ThreadFactory inContext = context.threads(threads);
    observed =
        new ObservedEvents<>(
            beans,
            events,
            List.of(
                new MessageSent(id, "", none, none, 0, Instant.EPOCH, Duration.ZERO),
                new MessageFailed(id, "", none, none, 1, Instant.EPOCH, ""),
                new MessageDied(id, "", none, none, 1, Instant.EPOCH, "")),
            task -> inContext.newThread(task).start(),
            OutboxLog.SHARED);
  }

  @Override
  public void sent(StoredMessage message) {
    observed.happened(
        new MessageSent(
            message.envelope().id(),
            message.destination(),
            Optional.ofNullable(message.envelope().eventType()),
            Optional.ofNullable(message.envelope().orderingKey()),
            message.attempts(),
            message.createdAt(),
            message.waited()));
  }

  @Override
  public void attemptFailed(StoredMessage message, int attempt, String reason) {
    observed.happened(
        new MessageFailed(
            message.envelope().id(),
            message.destination(),
            Optional.ofNullable(message.envelope().eventType()),
            Optional.ofNullable(message.envelope().orderingKey()),
            attempt,
            message.createdAt(),
            reason));
  }

  @Override
  public void died(StoredMessage message, int attempts, String reason) {
    observed.happened(
        new MessageDied(
            message.envelope().id(),
            message.destination(),
            Optional.ofNullable(message.envelope().eventType()),
            Optional.ofNullable(message.envelope().orderingKey()),
            attempts,
            message.createdAt(),
            reason));
  }

  /** How many events were dropped. */
  long dropped() {
    return observed.dropped();
  }

  @PreDestroy
  void stop() {
    observed.stop(Duration.ZERO);
  }
}
