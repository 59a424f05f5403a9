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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * This node's housekeeping, on a thread of its own. There is no EJB in {@code lib} of an EAR, and
 * so no timer. The server's executors would run it in the context in which they were given it, and
 * at startup that is one of Liberty's own, of which it says later that it is not there
 * (CWWKC1012E); nothing here needs a context.
 */
@ApplicationScoped
class HousekeepingBean {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** The last round ends soon, except that PostgreSQL may wait 20 s to detach a day's table. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final CountDownLatch stopped = new CountDownLatch(1);
  @Inject InboxExtension extension;
  private @Nullable Thread thread;

  synchronized void startUp(@Observes Startup event) {
    if (thread == null) {
      Installation installation = extension.installation();
      Thread started =
          new Thread(
              () -> run(installation),
              "postbox-inbox-housekeeping " + installation.config().service());
      started.setDaemon(true);
      started.start();
      thread = started;
    }
  }

  private void run(Installation installation) {
    Housekeeping housekeeping = null;
    while (!isStoppedAfter(PAUSE)) {
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
        if (housekeeping != null) { // not before deliveries or health found the tables in order
          housekeeping.tick();
        }
      } catch (RuntimeException failed) { // or there would be no next time
        InboxLog.housekeepingFailed(failed);
      }
    }
  }

  private boolean isStoppedAfter(Duration pause) {
    try {
      return stopped.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException theServerEnds) {
      return true;
    }
  }

  private static InstantSource neverSetBack() {
    Instant start = Instant.now();
    long nanos = System.nanoTime();
    return () -> start.plusNanos(System.nanoTime() - nanos);
  }

  /** Never interrupts: H2 closes a database in whose file somebody was interrupted. */
  @PreDestroy
  synchronized void stop() {
    stopped.countDown();
    if (thread != null) {
      try {
        thread.join(PATIENCE.toMillis());
      } catch (InterruptedException impatient) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
