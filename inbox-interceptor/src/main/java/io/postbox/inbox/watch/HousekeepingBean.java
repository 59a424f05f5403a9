package io.postbox.inbox.watch;

import io.postbox.common.ops.Part;
import io.postbox.common.ops.PolicyCache;
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
import java.util.ArrayList;
import java.util.List;

/** This node's housekeeping, and its look at the policies that all nodes share. */
@ApplicationScoped
class HousekeepingBean {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** The last round ends soon, except that PostgreSQL may wait 20 s to detach a day's table. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Inject InboxDatabase database;
  @Inject GuaranteeCheckBean guarantee;

  private final Part<Housekeeping> housekeeping =
      new Part<>(
          () ->
              new Housekeeping(
                  database.ifPrepared().orElseThrow(),
                  database.config(),
                  database.policies(),
                  database.ids(),
                  database.dataSource(),
                  MonotonicClock.started()));

  private final List<PeriodicTask> rounds = new ArrayList<>();

  /** Two threads, because the policies must not wait until a long round of housekeeping ends. */
  synchronized void startUp(@Observes Startup event) {
    if (rounds.isEmpty()) {
      String service = database.config().service();
      rounds.add(PeriodicTask.start("postbox-inbox-housekeeping " + service, PAUSE, this::tick));
      rounds.add(
          PeriodicTask.start(
              "postbox-inbox-policies " + service, PolicyCache.INTERVAL, this::readPolicies));
    }
  }

  /** Once deliveries or health checks have found the tables in order. */
  private void readPolicies() {
    if (database.stores().isPresent()) {
      database.policies().cache().refresh();
    }
  }

  /** Runs a round once deliveries or health checks have found the tables in order. */
  private void tick() {
    try {
      if (database.ifPrepared().isPresent()) {
        guarantee.checkOnce();
        housekeeping.get().tick();
      }
    } catch (RuntimeException failed) { // so that the next round runs
      InboxLog.housekeepingFailed(failed);
    }
  }

  @PreDestroy
  synchronized void stop() {
    rounds.forEach(each -> each.stop(PATIENCE)); // no interrupt: H2 would close its file
  }
}
