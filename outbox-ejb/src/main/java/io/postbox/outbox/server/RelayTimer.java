package io.postbox.outbox.server;

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
import jakarta.enterprise.concurrent.ContextService;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.inject.Inject;
import java.time.Duration;

/**
 * The relay's life cycle and its timer. Concurrency and transactions are the bean's own affair, so
 * that no wake-up ever waits behind a look, and no look runs in a transaction.
 */
@Singleton
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
public class RelayTimer {
  @Resource TimerService timers;
  @Resource ManagedExecutorService executor;
  @Resource ContextService context;
  @Inject OutboxExtension extension;
  @Inject RelayBean relay;

  @PostConstruct
  void start() {
    if (extension.installation().config().relay().enabled()) {
      lookAfter(Duration.ZERO);
    }
  }

  @Timeout
  void look() {
    Duration wait = Duration.ofSeconds(1); // should the look itself break down
    try {
      wait = relay.look(executor, context::contextualRunnable);
    } finally {
      lookAfter(wait);
    }
  }

  @PreDestroy
  void stop() {
    relay.stop();
  }

  private void lookAfter(Duration wait) {
    timers.createSingleActionTimer(wait.toMillis(), new TimerConfig(null, false));
  }
}
