package io.postbox.inbox.interceptor;

import io.postbox.common.log.Throttle;
import io.postbox.inbox.config.ConsumerConfig.Capture;
import io.postbox.inbox.log.CaptureLog;
import io.postbox.inbox.server.DaemonThreads;
import io.postbox.inbox.server.Workers;
import io.postbox.inbox.startup.ApplicationContextBean;
import io.postbox.inbox.startup.CapturedHandlers.CapturedHandler;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
import io.postbox.inbox.store.CapturedCandidates;
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
import java.util.List;

/**
 * This node's workers: some threads for each capturing consumer, which handle one message at a time
 * in the application's context.
 */
@ApplicationScoped
class CaptureWorkers {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  @Inject InboxDatabase database;
  @Inject InboxDeployment deployment;
  @Inject DeliveryGateBean gate;
  @Inject WorkQueues queues;
  @Inject CapturedProcessor processor;
  @Inject ApplicationContextBean context;

  private final Throttle failures = new Throttle(System::nanoTime);
  private DaemonThreads threads;

  @PostConstruct
  void wire() {
    threads = new DaemonThreads("postbox-inbox-captured " + database.config().service());
  }

  /** Has the workers start once the application has started, because they call its beans. */
  void startUp(@Observes Startup event) {
    for (String consumer : deployment.handlers().consumers()) {
      CapturedHandler handler = deployment.handlers().of(consumer).orElseThrow();
      Capture capture = database.config().of(consumer).capture();
      CapturedCandidates candidates = new CapturedCandidates(consumer, System::nanoTime);
      WorkQueue queue =
          new WorkQueue(limit -> read(candidates, consumer, limit), capture.workers());
      CaptureLog.started(
          consumer,
          handler.bean().getBeanClass().getName() + "." + handler.method().getName(),
          capture.workers());
      queues.addCaptured(
          consumer,
          new Workers(
              queue,
              capture.workers(),
              id -> context.get().execute(() -> process(consumer, id, handler, queue, candidates)),
              threads));
    }
  }

  private void process(
      String consumer,
      long id,
      CapturedHandler handler,
      WorkQueue queue,
      CapturedCandidates candidates) {
    Result result = Result.FAILED;
    try {
      result = processor.process(consumer, id, handler, queue);
    } finally {
      if (result != Result.DONE) {
        candidates.ended(id);
      }
      queue.done(id, result);
    }
  }

  /** The messages that may be handled now; none while the database is known to be unavailable. */
  private List<Long> read(CapturedCandidates candidates, String consumer, int limit) {
    if (gate.outage().isPresent()) {
      return List.of();
    }
    try {
      if (database.stores().isEmpty()) {
        database.prepare();
      }
      return database.call(
          (stores, connection) -> {
            connection.setAutoCommit(true);
            return candidates.read(
                stores.captured(), connection, processor.mayReply(consumer), limit);
          });
    } catch (SQLException | RuntimeException failed) {
      failures.tell(times -> CaptureLog.notRead(consumer, times, failed));
      return List.of();
    }
  }

  /** Gives out no message any more; running handlers are awaited by the gate. */
  void stopEarly(@Observes Shutdown event) {
    queues.ofCaptured().forEach(WorkQueue::stop);
  }

  @PreDestroy
  void stop() {
    queues.ofCaptured().forEach(WorkQueue::stop);
    threads.awaitEnd(PATIENCE);
  }
}
