package io.postbox.outbox.server;

import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.relay.RelayThreads;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.EJBException;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
  @Inject StartContext context;
  @Inject NodeScheduler scheduler;
  @Inject RelayBean relay;
  @Inject NodesBean nodes;
  @Inject ActionRunnerBean actions;

  /** A server may refuse timers a moment before it stops the bean. */
  Duration patience = Duration.ofSeconds(10);

  private @Nullable RelayThreads relayThreads;
  private final CountDownLatch stopped = new CountDownLatch(1);

  @PostConstruct
  void start() {
    relayThreads = RelayThreads.of(context.threads(threads));
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
    if (stopped.getCount() > 0) { // else the application has no timers any more
      try {
        scheduleAfter(wait);
      } catch (EJBException refused) {
        if (!stopsSoon()) {
          throw refused;
        }
      }
    }
  }

  private boolean stopsSoon() {
    try {
      return stopped.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @PreDestroy
  void stop() {
    stopped.countDown();
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
