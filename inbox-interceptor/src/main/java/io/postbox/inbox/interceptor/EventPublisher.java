package io.postbox.inbox.interceptor;

import io.postbox.common.ops.EventQueue;
import io.postbox.common.server.CdiEvents;
import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.MessageFailed;
import io.postbox.inbox.MessageParked;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageQuarantined;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.ReplyRefused;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.receiver.InboxListener;
import io.postbox.inbox.server.DaemonThreads;
import io.postbox.inbox.startup.ApplicationContextBean;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Fires the outcome of messages as CDI events, if the application observes them. Dependent, because
 * it is called after the transaction's completion, where no scope of the application need be
 * active.
 */
@Dependent
class EventPublisher implements InboxListener {
  private static final int WAITING = 10_000;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration GRACE = Duration.ofSeconds(2);

  @Inject BeanManager beans;
  @Inject Event<MessageEvent> events;

  @Inject InboxConfig config;

  /**
   * Calls observers in the application's context, because they may use its JNDI names and the
   * current CDI container.
   */
  @Inject ApplicationContextBean context;

  private EventQueue<MessageEvent> queue;
  private Set<Class<?>> observed;

  @PostConstruct
  void start() {
    Optional<String> none = Optional.empty();
    CdiEvents<MessageEvent> fired = new CdiEvents<>(beans, events);
    observed =
        Stream.of(
                new MessageProcessed("", "", none, 1),
                new MessageSkipped("", "", none, Why.DUPLICATE),
                new MessageQuarantined("", none, none, "", "", none),
                new MessageFailed("", none, none, 1, false, ""),
                new MessageParked("", "", none, 1, "", ""),
                new ReplyRefused("", "", none, none, ReplyRefused.Why.NOT_ALLOWED))
            .filter(fired::isObserved)
            .map(Object::getClass)
            .collect(Collectors.toUnmodifiableSet());
    DaemonThreads threads = new DaemonThreads("postbox-inbox-events " + config.service());
    Executor inContext = context.get();
    queue =
        new EventQueue<>(
            task -> threads.execute(() -> inContext.execute(task)),
            fired::fire,
            WAITING,
            PATIENCE,
            InstantSource.system(),
            new EventQueue.Log(
                WatchLog::eventsAreDropped,
                WatchLog::eventsAreTakenAgain,
                WatchLog::observerFailed));
  }

  @Override
  public void happened(MessageEvent event) {
    if (observed.contains(event.getClass())) {
      queue.offer(event);
    }
  }

  @PreDestroy
  void stop() {
    queue.stop(GRACE);
  }
}
