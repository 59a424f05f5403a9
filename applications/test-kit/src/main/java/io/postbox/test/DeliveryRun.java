package io.postbox.test;

import io.postbox.inbox.MessageEvent;
import io.postbox.test.Attempt.Fault;
import io.postbox.test.broker.MemoryBroker;
import io.postbox.test.broker.MemoryBroker.Waiting;
import io.postbox.test.database.Transactions;
import io.postbox.test.inbox.Handler;
import io.postbox.test.inbox.InboxProcess;
import io.postbox.test.inbox.InboxProcess.Rollback;
import io.postbox.test.inbox.ListenerBean;
import io.postbox.test.store.StoredRetries;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes the deliveries that a test has described. Several threads deliver; one test asks. */
final class DeliveryRun {
  private static final Duration RESTART = Duration.ofSeconds(30);
  private static final int MOST_ATTEMPTS = 1_000;

  private final InboxHarness harness;
  private final ListenerBean bean;
  private final MemoryBroker broker;
  private final Queue<Fault> faults;
  private final int threads;
  private final Instant begin;
  private final List<Attempt> attempts = Collections.synchronizedList(new ArrayList<>());
  private final List<Duration> retries = Collections.synchronizedList(new ArrayList<>());
  private final Map<Thread, Attempt> current = new ConcurrentHashMap<>();
  private InboxProcess process;

  DeliveryRun(InboxHarness harness, List<Fault> faults, int threads) {
    this.harness = harness;
    this.faults = new ConcurrentLinkedQueue<>(faults);
    this.threads = threads;
    bean = harness.bean();
    broker = harness.environment().broker();
    begin = harness.clock().instant();
    process = start();
  }

  /** Of a handler that a test lets fail. */
  private static final class InjectedFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InjectedFailure(Fault fault) {
      super("the test: " + fault);
    }
  }

  /** The end of a process, as far as one JVM can have it. */
  private static final class InjectedCrash extends Error {
    private static final long serialVersionUID = 1L;

    InjectedCrash(Fault fault) {
      super("the test: " + fault);
    }
  }

  private InboxProcess start() {
    return new InboxProcess(
        harness.environment().inbox(),
        broker,
        harness.clock(),
        List.of(bean.consumer()),
        this::happened,
        retries::add);
  }

  private void happened(MessageEvent event) {
    Attempt attempt = current.get(Thread.currentThread());
    if (attempt != null) {
      attempt.happened(event);
    }
  }

  void deliver(List<Message> messages, int copies, boolean isReordered) {
    List<Message> inOrder = new ArrayList<>(messages);
    if (isReordered) {
      Collections.reverse(inOrder);
    }
    for (int copy = 0; copy < copies; copy++) {
      inOrder.forEach(this::send);
    }
    drain(threads);
  }

  void deliverAltered(List<Message> messages) {
    messages.forEach(message -> send(MemoryBroker.altered(message)));
    drain(1);
  }

  /** Stops the process in an orderly way. */
  void end() {
    current().leave();
  }

  private void send(Message message) {
    try {
      broker.send(bean.queue(), message);
    } catch (JMSException failed) {
      throw new IllegalStateException("The broker in memory does not take the message", failed);
    }
  }

  /** Delivers until no message is left, and lets the time pass that retries need. */
  private void drain(int atOnce) {
    do {
      deliverDue(atOnce);
    } while (current().handBack() || awaitRetry());
  }

  /** Lets time pass until the next retry is due; false if there is none. */
  private boolean awaitRetry() {
    Instant now = harness.clock().instant();
    Optional<Instant> next =
        Stream.concat(
                Optional.ofNullable(broker.nextDue(bean.queue())).stream(),
                storedRetries().firstAfter(bean.consumer().name(), now).stream())
            .min(Instant::compareTo);
    next.ifPresent(due -> harness.clock().advance(Duration.between(now, due)));
    return next.isPresent();
  }

  private StoredRetries storedRetries() {
    return new StoredRetries(
        harness.dataSource(),
        harness.environment().inbox().config().tables().qualified("inbox_stored"));
  }

  private void deliverDue(int atOnce) {
    if (atOnce == 1) {
      deliverAll(broker.take(bean.queue()));
      return;
    }
    ExecutorService pool = Executors.newFixedThreadPool(atOnce);
    try {
      CyclicBarrier start = new CyclicBarrier(atOnce);
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < atOnce; i++) {
        running.add(
            pool.submit(
                () -> {
                  Optional<Waiting> first = broker.take(bean.queue());
                  start.await();
                  deliverAll(first);
                  return null;
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } catch (ExecutionException failed) {
      throw new IllegalStateException(
          "A delivery of the test could not be made", failed.getCause());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("The test was interrupted", stopped);
    } finally {
      pool.shutdown();
    }
  }

  private void deliverAll(Optional<Waiting> first) {
    for (Optional<Waiting> next = first; next.isPresent(); next = broker.take(bean.queue())) {
      deliver(next.get());
    }
  }

  private void deliver(Waiting waiting) {
    if (attempts.size() >= MOST_ATTEMPTS) {
      throw new AssertionError("The message is redelivered without end.%n%s".formatted(history()));
    }
    InboxProcess in = current();
    Message message = waiting.delivered();
    Attempt attempt =
        new Attempt(
            MemoryBroker.idOf(message),
            Duration.between(begin, harness.clock().instant()),
            waiting.deliveries());
    attempts.add(attempt);
    current.put(Thread.currentThread(), attempt);
    AckLost lost = new AckLost();
    Optional<Rollback> rolledBack = in.deliver(bean.consumer(), message, faulty(in, attempt, lost));
    current.remove(Thread.currentThread());
    boolean acknowledged = rolledBack.isEmpty() && !in.isDead() && !lost.is;
    attempt.ended(rolledBack.map(Rollback::cause), acknowledged);
    if (!acknowledged) {
      broker.putBack(waiting, rolledBack.map(Rollback::pause).orElse(Duration.ZERO));
    }
    if (in.isDead()) {
      restart(in);
    }
  }

  /** Whether the broker does not learn of a commit. */
  private static final class AckLost {
    private boolean is;
  }

  private synchronized InboxProcess current() {
    return process;
  }

  /** Once for each process that died. */
  private synchronized void restart(InboxProcess dead) {
    if (process == dead) {
      harness.clock().advance(RESTART);
      process = start();
    }
  }

  /** The handler, with the next fault around it. */
  private Handler faulty(InboxProcess in, Attempt attempt, AckLost lost) {
    return message -> {
      Fault fault = faults.poll();
      attempt.meets(fault);
      if (fault == null) {
        handle(message, attempt);
        return;
      }
      if (fault.point() == Point.BEFORE_HANDLER) {
        strike(in, fault);
      }
      handle(message, attempt);
      switch (fault.point()) {
        case BEFORE_HANDLER, AFTER_HANDLER -> strike(in, fault);
        case AT_COMMIT -> beforeCommit(() -> strike(in, fault));
        case AFTER_COMMIT -> {
          lost.is = true;
          beforeCommit(
              () -> {
                if (fault.isCrash()) {
                  in.die(); // it commits, and nothing of it hears of that
                }
              });
        }
      }
    };
  }

  private void handle(Message message, Attempt attempt) throws Exception {
    attempt.handlerIsCalled();
    bean.handler().handle(message);
    attempt.handlerHasReturned();
  }

  private static void strike(InboxProcess in, Fault fault) {
    if (fault.isCrash()) {
      in.die();
      throw new InjectedCrash(fault);
    }
    throw new InjectedFailure(fault);
  }

  private static void beforeCommit(Runnable task) throws SystemException, RollbackException {
    Transactions.manager()
        .getTransaction()
        .registerSynchronization(
            new Synchronization() {
              @Override
              public void beforeCompletion() {
                task.run();
              }

              @Override
              public void afterCompletion(int status) {
                // the inbox looks at that
              }
            });
  }

  /** A test whose fault was never met has shown nothing. */
  void requireAllFaultsMet() {
    @Nullable Fault unmet = faults.peek();
    if (unmet != null) {
      throw new AssertionError(
          "The handler was not called often enough for all faults that the test describes; the first one left is: %s.%n%s"
              .formatted(unmet, history()));
    }
  }

  /** How many different messages have had such an outcome. */
  long messagesWith(Class<? extends MessageEvent> type) {
    return attempts.stream()
        .filter(attempt -> attempt.has(type))
        .map(Attempt::messageId)
        .distinct()
        .count();
  }

  /** The waits after which the inbox has sent messages again. */
  List<Duration> retries() {
    return List.copyOf(retries);
  }

  /** Why a number of effects is not that of the messages. */
  String explanation(long effects, int messages) {
    long runs = attempts.stream().filter(Attempt::isRun).count();
    long committed = attempts.stream().filter(Attempt::isCommittedRun).count();
    if (effects > committed && committed <= messages && effects <= runs) {
      return "The handler ran %s times, and %s of these runs committed. The inbox undid the others, and their effects stayed: they are outside of the inbox's transaction, like a call of another system, another database, a field or a static variable. Make the effect within the transaction, on the same data source; or make it repeatable with InboxContext.once and its idempotency key (https://github.com/postbox/postbox/blob/main/docs/handling.md)."
          .formatted(runs, committed);
    }
    if (effects > committed) {
      return "The handler ran %s times, and %s of these runs committed, so that one run makes the effect several times, or the query counts more than the effects of the message."
          .formatted(runs, committed);
    }
    return committed == 0
        ? "No run of the handler committed."
        : "%s runs of the handler committed, so that a run can end without the effect, or the query does not count it."
            .formatted(committed);
  }

  /** The deliveries, a line each. */
  String history() {
    StringBuilder text = new StringBuilder("Deliveries:");
    List<Attempt> all = List.copyOf(attempts);
    for (int i = 0; i < all.size(); i++) {
      text.append("%n  %s. %s".formatted(i + 1, all.get(i)));
    }
    return text.toString();
  }
}
