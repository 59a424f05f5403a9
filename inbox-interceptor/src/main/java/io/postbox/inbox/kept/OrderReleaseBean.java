package io.postbox.inbox.kept;

import io.postbox.common.log.Throttle;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.config.ConsumerConfig;
import io.postbox.inbox.interceptor.DeliveryGateBean;
import io.postbox.inbox.interceptor.WorkQueues;
import io.postbox.inbox.jms.Proofs;
import io.postbox.inbox.log.OrderLog;
import io.postbox.inbox.ops.NotSentException;
import io.postbox.inbox.ops.OrderRelease;
import io.postbox.inbox.ops.ReleasePace;
import io.postbox.inbox.server.DaemonThreads;
import io.postbox.inbox.server.Workers;
import io.postbox.inbox.startup.ApplicationContextBean;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
import io.postbox.inbox.work.WorkQueue;
import io.postbox.inbox.work.WorkQueue.Result;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Shutdown;
import jakarta.enterprise.event.Startup;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Sends the messages whose turn in the order of versions has come, on threads of its own: two for
 * each consumer with version order. A commit on this node wakes them; those that another node has
 * left behind are found by a look every ten seconds.
 */
@ApplicationScoped
class OrderReleaseBean {
  private static final int AT_ONCE = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  @Inject InboxDatabase database;
  @Inject InboxDeployment deployment;
  @Inject DeliveryGateBean gate;
  @Inject WorkQueues queues;
  @Inject ApplicationContextBean context;

  private final List<WorkQueue> started = new ArrayList<>();
  private final Throttle unreadable = new Throttle(System::nanoTime);
  private DaemonThreads threads;
  private OrderRelease release;

  @PostConstruct
  void wire() {
    threads = new DaemonThreads("postbox-inbox-released " + database.config().service());
    release =
        new OrderRelease(
            database.config(),
            database.dataSource(),
            database.contents(),
            new JmsKeptSender(
                database.config(),
                deployment::consumersOf,
                new Proofs(database.config().service(), database::secret)));
  }

  /** Starts once the application has started, because connection factories may need its context. */
  void startUp(@Observes Startup event) {
    for (Map.Entry<String, ConsumerConfig> each : database.config().consumers().entrySet()) {
      if (each.getValue().order().isPresent()) {
        start(each.getKey());
      }
    }
  }

  private void start(String consumer) {
    ReleasePace pace =
        new ReleasePace(System::nanoTime, () -> ThreadLocalRandom.current().nextDouble());
    WorkQueue queue = new WorkQueue(limit -> due(consumer, limit, pace), AT_ONCE);
    started.add(queue);
    queues.addReleased(
        consumer,
        new Workers(
            queue,
            AT_ONCE,
            id -> context.get().execute(() -> release(consumer, id, queue, pace)),
            threads));
  }

  /** The messages to send; none while the database is known to be unavailable. */
  private List<Long> due(String consumer, int limit, ReleasePace pace) {
    if (gate.outage().isPresent() || database.stores().isEmpty() || !pace.isOpen()) {
      return List.of();
    }
    try {
      return release.due(consumer, limit);
    } catch (SQLException | RuntimeException failed) {
      outage(consumer, failed, pace);
      return List.of();
    }
  }

  private void release(String consumer, long id, WorkQueue queue, ReleasePace pace) {
    Duration again = WorkQueue.COOLING;
    boolean isDone = false;
    try {
      if (pace.isOpen()) {
        if (release.release(consumer, id) == OrderRelease.Result.RESTORED) {
          queues.captured(consumer);
        }
        isDone = true;
        if (pace.succeeded(id)) {
          OrderLog.releasesWork(consumer);
        }
      }
    } catch (NotSentException notSent) {
      if (notSent.isAtBroker()) {
        again = outage(consumer, notSent, pace);
      } else if (notSent.getCause() instanceof InboxException) {
        again = pace.failed(id);
        long times = unreadable.take();
        if (times > 0) {
          OrderLog.releaseCannotBeRead(consumer, id, times, notSent);
        }
      } else {
        isDone = giveUp(consumer, id, notSent, pace);
      }
    } catch (SQLException | RuntimeException failed) {
      again = outage(consumer, failed, pace);
    } finally {
      if (isDone) {
        queue.done(id, Result.DONE);
      } else {
        queue.failed(id, again);
      }
    }
  }

  private boolean giveUp(String consumer, long id, NotSentException why, ReleasePace pace) {
    try {
      if (release.giveUp(consumer, id, why)) {
        OrderLog.notReleased(consumer, id, why);
      }
      return true;
    } catch (SQLException | RuntimeException failed) {
      outage(consumer, failed, pace);
      return false;
    }
  }

  private static Duration outage(String consumer, Exception failed, ReleasePace pace) {
    if (pace.outage()) {
      OrderLog.releasesFail(consumer, failed);
    }
    return pace.rest();
  }

  /** Sends no message any more. */
  void stopEarly(@Observes Shutdown event) {
    started.forEach(WorkQueue::stop);
  }

  @PreDestroy
  void stop() {
    started.forEach(WorkQueue::stop);
    threads.awaitEnd(PATIENCE);
  }
}
