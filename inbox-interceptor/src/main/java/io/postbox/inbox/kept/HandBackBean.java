package io.postbox.inbox.kept;

import io.postbox.common.log.Throttle;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.interceptor.DeliveryGateBean;
import io.postbox.inbox.interceptor.WorkQueues;
import io.postbox.inbox.log.OrderLog;
import io.postbox.inbox.metrics.CountListener;
import io.postbox.inbox.ops.HandBack;
import io.postbox.inbox.ops.HandBack.NotHandedBack;
import io.postbox.inbox.ops.KeptCounts;
import io.postbox.inbox.ops.NotSentException;
import io.postbox.inbox.ops.ReleasePace;
import io.postbox.inbox.server.DaemonThreads;
import io.postbox.inbox.server.Workers;
import io.postbox.inbox.startup.ApplicationContextBean;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
import io.postbox.inbox.store.CountStore.Kind;
import io.postbox.inbox.work.WorkQueue;
import io.postbox.inbox.work.WorkQueue.Result;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Shutdown;
import jakarta.enterprise.event.Startup;
import jakarta.inject.Inject;
import jakarta.jms.InvalidDestinationRuntimeException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Hands stored messages back to their consumers when they have their turn, on threads of its own:
 * two for each consumer with version order, one for any other. A commit on this node wakes them;
 * those that another node has left behind are found by a look every ten seconds.
 */
@ApplicationScoped
class HandBackBean implements CountListener {
  private static final int AT_ONCE = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  @Inject InboxDatabase database;
  @Inject InboxDeployment deployment;
  @Inject DeliveryGateBean gate;
  @Inject WorkQueues queues;
  @Inject ApplicationContextBean context;

  private final List<WorkQueue> started = new CopyOnWriteArrayList<>();
  private final Set<String> consumers = new TreeSet<>();
  private volatile boolean hasStarted;
  private final Throttle unreadable = new Throttle(System::nanoTime);
  private DaemonThreads threads;
  private HandBack back;

  @PostConstruct
  void wire() {
    threads = new DaemonThreads("postbox-inbox-handed-back " + database.config().service());
    back =
        new HandBack(
            database.config(),
            database.dataSource(),
            database.contents(),
            new JmsKeptSender(database, deployment));
  }

  /** Starts once the application has started, because connection factories may need its context. */
  void startUp(@Observes Startup event) {
    Set<String> known = new TreeSet<>(deployment.consumers());
    known.addAll(deployment.handlers().consumers());
    known.addAll(database.config().consumers().keySet());
    known.forEach(this::start);
    hasStarted = true;
  }

  /** A consumer that is not in this application any more may have messages on their way. */
  @Override
  public void counted(KeptCounts counts) {
    if (hasStarted) {
      counts.consumers(Set.of(Kind.HANDED_BACK)).forEach(this::start);
    }
  }

  private synchronized void start(String consumer) {
    if (!consumers.add(consumer)) {
      return;
    }
    boolean isOrdered = database.config().of(consumer).order().isPresent();
    int atOnce = isOrdered ? AT_ONCE : 1;
    ReleasePace pace =
        new ReleasePace(System::nanoTime, () -> ThreadLocalRandom.current().nextDouble());
    WorkQueue queue = new WorkQueue(limit -> due(consumer, limit, pace), atOnce);
    started.add(queue);
    queues.addReleased(
        consumer,
        new Workers(
            queue,
            atOnce,
            id -> context.get().execute(() -> handBack(consumer, id, queue, pace)),
            threads));
  }

  /** The messages to send; none while the database is known to be unavailable. */
  private List<Long> due(String consumer, int limit, ReleasePace pace) {
    if (gate.outage().isPresent() || database.stores().isEmpty() || !pace.isOpen()) {
      return List.of();
    }
    try {
      return back.due(consumer, limit);
    } catch (SQLException | RuntimeException failed) {
      outage(consumer, failed, pace);
      return List.of();
    }
  }

  private void handBack(String consumer, long id, WorkQueue queue, ReleasePace pace) {
    Duration again = WorkQueue.COOLING;
    boolean isDone = false;
    try {
      if (pace.isOpen()) {
        HandBack.Result result = back.handBack(id);
        if (result == HandBack.Result.RESTORED) {
          queues.captured(consumer);
        }
        isDone = result != HandBack.Result.GONE;
        if (pace.succeeded(id)) {
          OrderLog.releasesWork(consumer);
        }
      }
    } catch (NotHandedBack failed) {
      NotSentException notSent = failed.why();
      if (isForNow(notSent.getCause())) {
        again = pace.failed(id);
        unreadable.tell(times -> OrderLog.releaseCannotBeRead(consumer, id, times, notSent));
        again(failed);
      } else if (notSent.isAtBroker()) {
        again = outage(consumer, notSent, pace);
        again(failed);
      } else {
        isDone = giveUp(consumer, id, failed, pace);
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

  /**
   * Whether it is this one message's, and may pass: it cannot be decrypted, or its queue does not
   * exist (yet, or any more). That is no reason to send no other message.
   */
  private static boolean isForNow(@Nullable Throwable cause) {
    return cause instanceof InboxException || cause instanceof InvalidDestinationRuntimeException;
  }

  /** If this fails too, the message has its turn again all the same, after a minute. */
  private void again(NotHandedBack failed) {
    try {
      back.again(failed);
    } catch (SQLException | RuntimeException notEven) {
      failed.addSuppressed(notEven);
    }
  }

  private boolean giveUp(String consumer, long id, NotHandedBack why, ReleasePace pace) {
    try {
      if (back.giveUp(why)) {
        OrderLog.notReleased(consumer, id, why.why());
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
