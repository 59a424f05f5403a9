package io.postbox.outbox.server;

import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.relay.RelayThreads;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.Timeout;
import jakarta.ejb.TimerConfig;
import jakarta.ejb.TimerService;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs the {@link NodeScheduler} by a timer, and stops the relay with the application. Concurrency
 * and transactions are bean-managed, so that no wake-up waits for a run, and no run is in a
 * transaction. Workers and senders have threads of their own: the server's executor has few
 * threads, and workers that wait for senders could occupy all of them.
 */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
public class SchedulerTimer {
  private static final Duration AFTER_BREAKDOWN = Duration.ofSeconds(5);

  @Resource TimerService timers;
  @Resource ManagedThreadFactory threads;
  @Inject NodeScheduler scheduler;
  @Inject RelayBean relay;
  @Inject NodesBean nodes;
  @Inject ActionRunnerBean actions;

  private @Nullable RelayThreads relayThreads;
  private volatile boolean stopped;

  @PostConstruct
  void start() {
    relayThreads = RelayThreads.of(threads);
    scheduleAfter(Duration.ZERO);
  }

  @Timeout
  void run() {
    Duration wait = AFTER_BREAKDOWN;
    try {
      wait = scheduler.run(Objects.requireNonNull(relayThreads));
    } catch (Throwable broken) { // a repeated time-out would arm another timer
      OutboxLog.pollFailed(broken);
    }
    if (!stopped) { // else the application has no timers any more
      scheduleAfter(wait);
    }
  }

  @PreDestroy
  void stop() {
    stopped = true;
    actions.stop();
    relay.stop();
    if (relayThreads != null) {
      nodes.leave(relayThreads.oneEach());
      relayThreads.shutdown();
    }
  }

  private void scheduleAfter(Duration wait) {
    timers.createSingleActionTimer(wait.toMillis(), new TimerConfig(null, false));
  }
}
