package io.postbox.inbox.kept;

import io.postbox.common.ops.Part;
import io.postbox.common.time.MonotonicClock;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.ops.BackgroundActions;
import io.postbox.inbox.server.DaemonThreads;
import io.postbox.inbox.server.PeriodicTask;
import io.postbox.inbox.startup.ApplicationContextBean;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.inject.Inject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Carries out operators' actions on this node, on threads of its own, and in the application's
 * context: connection factories and ciphers may need it.
 */
@ApplicationScoped
class ActionRunnerBean {
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Inject InboxDatabase database;
  @Inject InboxDeployment deployment;
  @Inject ApplicationContextBean context;

  private Part<BackgroundActions> actions;
  private @Nullable PeriodicTask rounds;
  private @Nullable DaemonThreads steps;

  @PostConstruct
  void wire() {
    actions =
        database.whenReady(
            "The actions cannot be read",
            dialect ->
                new BackgroundActions(
                    dialect,
                    database.config(),
                    database.dataSource(),
                    database.ids(),
                    database.contents(),
                    new JmsKeptSender(database, deployment),
                    database.secret(),
                    MonotonicClock.started()));
  }

  synchronized void startUp(@Observes Startup event) {
    if (rounds == null) {
      String name = "postbox-inbox-actions " + database.config().service();
      DaemonThreads threads = new DaemonThreads(name);
      steps = threads;
      rounds = PeriodicTask.start(name, PAUSE, () -> tick(threads));
    }
  }

  /** Runs what is due once deliveries or health checks have found the tables in order. */
  private void tick(DaemonThreads threads) {
    if (database.stores().isPresent()) {
      actions().runner().runIfDue(steps -> threads.execute(() -> context.get().execute(steps)));
    }
  }

  /**
   * The actions.
   *
   * @throws InboxException as long as the tables are not in order
   */
  BackgroundActions actions() {
    return actions.get();
  }

  @PreDestroy
  void stop() {
    PeriodicTask running;
    DaemonThreads stepping;
    synchronized (this) {
      running = rounds;
      stepping = steps;
      actions.ifBuilt().ifPresent(built -> built.runner().stop());
    }
    if (running != null && stepping != null) { // without the lock, which a round may need
      running.stop(PATIENCE);
      stepping.awaitEnd(PATIENCE);
    }
  }
}
