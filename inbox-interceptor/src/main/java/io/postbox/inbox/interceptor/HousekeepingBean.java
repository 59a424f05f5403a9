package io.postbox.inbox.interceptor;

import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.ops.Housekeeping;
import io.postbox.inbox.store.Dialect;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** This node's housekeeping. */
@ApplicationScoped
class HousekeepingBean {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** The last round ends soon, except that PostgreSQL may wait 20 s to detach a day's table. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Inject InboxExtension extension;
  private @Nullable Housekeeping housekeeping;
  private @Nullable PeriodicTask rounds;

  synchronized void startUp(@Observes Startup event) {
    if (rounds == null) {
      InboxDatabase installation = extension.deployment().installation();
      rounds =
          PeriodicTask.start(
              "postbox-inbox-housekeeping " + installation.config().service(),
              PAUSE,
              () -> tick(installation));
    }
  }

  /** Not before deliveries or health found the tables in order. */
  private void tick(InboxDatabase installation) {
    try {
      Optional<Dialect> dialect = installation.dialect();
      if (housekeeping == null && dialect.isPresent()) {
        housekeeping =
            new Housekeeping(
                dialect.get(),
                installation.config(),
                installation.ids(),
                installation.dataSource(),
                neverSetBack());
      }
      if (housekeeping != null) {
        housekeeping.tick();
      }
    } catch (RuntimeException failed) { // or there would be no next time
      InboxLog.housekeepingFailed(failed);
    }
  }

  private static InstantSource neverSetBack() {
    Instant start = Instant.now();
    long nanos = System.nanoTime();
    return () -> start.plusNanos(System.nanoTime() - nanos);
  }

  @PreDestroy
  synchronized void stop() {
    if (rounds != null) {
      rounds.stop(PATIENCE);
    }
  }
}
