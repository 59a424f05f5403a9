package io.postbox.inbox.watch;

import io.postbox.common.store.Dialect;
import io.postbox.common.time.MonotonicClock;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.ops.Housekeeping;
import io.postbox.inbox.server.PeriodicTask;
import io.postbox.inbox.startup.InboxDatabase;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** This node's housekeeping. */
@ApplicationScoped
class HousekeepingBean {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** The last round ends soon, except that PostgreSQL may wait 20 s to detach a day's table. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Inject InboxDatabase database;
  private @Nullable Housekeeping housekeeping;
  private @Nullable PeriodicTask rounds;

  synchronized void startUp(@Observes Startup event) {
    if (rounds == null) {
      rounds =
          PeriodicTask.start(
              "postbox-inbox-housekeeping " + database.config().service(), PAUSE, this::tick);
    }
  }

  /** Runs a round once deliveries or health checks have found the tables in order. */
  private void tick() {
    try {
      Optional<Dialect> dialect = database.dialect();
      if (housekeeping == null && dialect.isPresent()) {
        housekeeping =
            new Housekeeping(
                dialect.get(),
                database.config(),
                database.policies(),
                database.ids(),
                database.dataSource(),
                MonotonicClock.started());
      }
      if (housekeeping != null) {
        housekeeping.tick();
      }
    } catch (RuntimeException failed) { // so that the next round runs
      InboxLog.housekeepingFailed(failed);
    }
  }

  @PreDestroy
  synchronized void stop() {
    if (rounds != null) {
      rounds.stop(PATIENCE);
    }
  }
}
