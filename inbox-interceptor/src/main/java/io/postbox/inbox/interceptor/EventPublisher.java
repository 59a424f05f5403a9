package io.postbox.inbox.interceptor;

import io.postbox.common.server.ObservedEvents;
import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.MessageFailed;
import io.postbox.inbox.MessageParked;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageQuarantined;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.ReplyRefused;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.InboxLog;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Fires the outcome of messages as CDI events, if the application observes them. Dependent, because
 * it is called after the transaction's completion, where no scope of the application need be
 * active.
 */
@Dependent
class EventPublisher implements InboxListener {
  private static final Duration GRACE = Duration.ofSeconds(2);

  @Inject BeanManager beans;
  @Inject Event<MessageEvent> events;

  @Inject InboxConfig config;

  /**
   * Calls observers in the application's context, because they may use its JNDI names and the
   * current CDI container.
   */
  @Inject ApplicationContextBean context;

  private ObservedEvents<MessageEvent> observed;

  @PostConstruct
  void start() {
    Optional<String> none = Optional.empty();
    DaemonThreads threads = new DaemonThreads("postbox-inbox-events " + config.service());
    Executor inContext = context.get();
    observed =
        new ObservedEvents<>(
            beans,
            events,
            List.of(
                new MessageProcessed("", "", none, 1),
                new MessageSkipped("", "", none, Why.DUPLICATE),
                new MessageQuarantined("", none, none, "", "", none),
                new MessageFailed("", none, none, 1, false, ""),
                new MessageParked("", "", none, 1, "", ""),
                new ReplyRefused("", "", none, none, ReplyRefused.Why.NOT_ALLOWED)),
            task -> threads.execute(() -> inContext.execute(task)),
            InboxLog.SHARED);
  }

  @Override
  public void happened(MessageEvent event) {
    observed.happened(event);
  }

  @PreDestroy
  void stop() {
    observed.stop(GRACE);
  }
}
