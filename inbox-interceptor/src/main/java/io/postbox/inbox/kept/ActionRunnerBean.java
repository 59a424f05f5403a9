package io.postbox.inbox.kept;

import io.postbox.common.store.Dialect;
import io.postbox.common.time.MonotonicClock;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.jms.Proofs;
import io.postbox.inbox.ops.BackgroundActions;
import io.postbox.inbox.server.DaemonThreads;
import io.postbox.inbox.server.PeriodicTask;
import io.postbox.inbox.startup.ApplicationContextBean;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
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

  private @Nullable BackgroundActions actions;
  private @Nullable PeriodicTask rounds;
  private @Nullable DaemonThreads steps;

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
  synchronized BackgroundActions actions() {
    BackgroundActions built = actions;
    if (built == null) {
      built = make();
      actions = built;
    }
    return built;
  }

  private BackgroundActions make() {
    Optional<Dialect> dialect = database.dialect();
    if (database.stores().isEmpty() || dialect.isEmpty()) {
      throw new InboxException(
          "The actions cannot be read, because the inbox is not ready: " + database.problem(),
          null);
    }
    return new BackgroundActions(
        dialect.get(),
        database.config(),
        database.dataSource(),
        database.ids(),
        database.contents(),
        new JmsKeptSender(
            database.config(),
            deployment::consumersOf,
            new Proofs(database.config().service(), database::secret)),
        database.secret(),
        MonotonicClock.started());
  }

  @PreDestroy
  void stop() {
    PeriodicTask running;
    DaemonThreads stepping;
    synchronized (this) {
      running = rounds;
      stepping = steps;
      if (actions != null) {
        actions.runner().stop();
      }
    }
    if (running != null && stepping != null) { // without the lock, which a round may need
      running.stop(PATIENCE);
      stepping.awaitEnd(PATIENCE);
    }
  }
}
