package io.postbox.inbox.interceptor;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.ops.Housekeeping;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/**
 * This node's housekeeping, on the server's executor: there is no EJB in {@code lib} of an EAR, and
 * so no timer.
 */
@ApplicationScoped
class HousekeepingBean {
  private static final String EXECUTOR = "java:comp/DefaultManagedScheduledExecutorService";

  /** The last round ends soon, except that PostgreSQL may wait 20 s to detach a day's table. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final ReentrantLock running = new ReentrantLock();
  @Inject InboxExtension extension;
  private @Nullable ScheduledFuture<?> ticking;
  private @Nullable Housekeeping housekeeping;

  synchronized void startUp(@Observes Startup event) {
    if (ticking == null) {
      ticking = executor().scheduleWithFixedDelay(this::tick, 0, 1, TimeUnit.SECONDS);
    }
  }

  private static ManagedScheduledExecutorService executor() {
    try {
      return (ManagedScheduledExecutorService) Jndi.lookup(EXECUTOR);
    } catch (NamingException | ClassCastException missing) {
      throw new InboxException(
          "The server has no "
              + EXECUTOR
              + ", so nothing would ever be deleted from the inbox's tables. On Open Liberty, add"
              + " the feature concurrent-3.0.",
          missing);
    }
  }

  private void tick() {
    running.lock();
    try {
      Housekeeping keeping = housekeeping();
      if (keeping != null) {
        keeping.tick();
      }
    } catch (RuntimeException failed) { // or there would be no next time
      InboxLog.housekeepingFailed(failed);
    } finally {
      running.unlock();
    }
  }

  /** There is none before the tables are in order, which deliveries and health look at too. */
  private synchronized @Nullable Housekeeping housekeeping() {
    Installation installation = extension.installation();
    if (housekeeping == null && installation.dialect().isPresent()) {
      housekeeping =
          new Housekeeping(
              installation.dialect().get(),
              installation.config(),
              installation.ids(),
              installation.dataSource(),
              neverSetBack());
    }
    return housekeeping;
  }

  private static InstantSource neverSetBack() {
    Instant start = Instant.now();
    long nanos = System.nanoTime();
    return () -> start.plusNanos(System.nanoTime() - nanos);
  }

  /** Never interrupts: H2 closes a database whose file somebody was interrupted in. */
  @PreDestroy
  void stop() {
    cancel();
    try {
      if (running.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        running.unlock();
      }
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void cancel() {
    if (ticking != null) {
      ticking.cancel(false);
    }
  }
}
