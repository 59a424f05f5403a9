package io.postbox.common.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.postbox.common.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EventQueueTest {
  private static final int CAPACITY = 5;

  private final SettableClock clock = new SettableClock();
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
  private Consumer<Integer> observer = event -> seen.add(event);
  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
  private volatile @Nullable Error brokenLog;
  private final EventQueue.Log log =
      new EventQueue.Log(
          waiting -> lines.add("dropping: %s wait".formatted(waiting)),
          dropped -> lines.add("caught up: %s dropped".formatted(dropped)),
          (failures, cause) -> {
            if (brokenLog != null) {
              throw brokenLog;
            }
            lines.add("failed %s times: %s".formatted(failures, cause.getMessage()));
          });
  private final EventQueue<Integer> queue =
      new EventQueue<>(
          tasks::add, event -> observer.accept(event), CAPACITY, Duration.ZERO, clock, log);

  private void offer(int from, int to) {
    IntStream.rangeClosed(from, to).boxed().forEach(queue::offer);
  }

  private void runTasks() {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  @Test
  void eventsComeInOrderByOneTask() {
    offer(1, 4);
    assertThat(seen).as("whoever offers does not wait").isEmpty();
    assertThat(tasks).hasSize(1);
    runTasks();
    offer(5, 5);
    runTasks();
    assertThat(seen).containsExactly(1, 2, 3, 4, 5);
    assertThat(queue.dropped()).isZero();
  }

  @Test
  void eventsBeyondTheLimitAreDroppedCountedAndLoggedOnce() {
    offer(1, 9);
    assertThat(queue.dropped()).isEqualTo(4);
    assertThat(lines).singleElement().isEqualTo("dropping: 5 wait");

    runTasks();
    assertThat(seen).containsExactly(1, 2, 3, 4, 5);
    assertThat(lines).hasSize(2).last().isEqualTo("caught up: 4 dropped");

    offer(10, 16);
    runTasks();
    assertThat(lines).hasSize(4).last().isEqualTo("caught up: 2 dropped");
    assertThat(queue.dropped()).isEqualTo(6);
  }

  @Test
  void anObserverThatThrowsHurtsNoOtherEvent() {
    observer =
        event -> {
          if (event == 2) {
            throw new IllegalStateException("observer");
          }
          if (event == 3) {
            throw new StackOverflowError("observer");
          }
          seen.add(event);
        };
    offer(1, 4);
    runTasks();
    assertThat(seen).containsExactly(1, 4);
  }

  @Test
  void anInterruptThatAnObserverLeavesBehindMeetsNeitherTheNextOneNorTheQueue() throws Exception {
    List<Integer> interrupted = Collections.synchronizedList(new ArrayList<>());
    List<Thread> hands = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch last = new CountDownLatch(1);
    observer =
        event -> {
          hands.add(Thread.currentThread());
          if (Thread.currentThread().isInterrupted()) {
            interrupted.add(event);
          }
          Thread.currentThread().interrupt();
          if (event == 3) {
            last.countDown();
          }
        };
    EventQueue<Integer> patient =
        new EventQueue<>(
            task -> new Thread(task).start(),
            event -> observer.accept(event),
            CAPACITY,
            Duration.ofMinutes(1),
            clock,
            log);
    patient.offer(1);
    patient.offer(2);
    await().until(() -> hands.size() == 2);
    await().until(() -> hands.get(1).getState() == Thread.State.TIMED_WAITING);
    patient.offer(3);
    assertThat(last.await(10, TimeUnit.SECONDS)).isTrue();
    patient.stop(Duration.ofSeconds(10));

    assertThat(interrupted).isEmpty();
    assertThat(hands).as("one task").containsOnly(hands.get(0));
  }

  /** Such as that the log, too, lacks memory. */
  @Test
  void aTaskThatBreaksDownIsFollowedByAnother() {
    observer =
        event -> {
          throw new OutOfMemoryError("while observing");
        };
    offer(1, 2);
    Error telling = new OutOfMemoryError("while telling");
    brokenLog = telling;
    assertThatThrownBy(tasks.remove()::run).isSameAs(telling);
    brokenLog = null;
    observer = event -> seen.add(event);

    offer(3, 3);

    assertThat(tasks).hasSize(1);
    runTasks();
    assertThat(seen).containsExactly(2, 3);
  }

  @Test
  void anObserverThatAlwaysThrowsIsLoggedOnceAMinute() {
    observer =
        event -> {
          throw new IllegalStateException("broken");
        };
    offer(1, 3);
    runTasks();
    clock.advance(Duration.ofSeconds(59));
    offer(4, 5);
    runTasks();
    assertThat(lines).singleElement().isEqualTo("failed 1 times: broken");

    clock.advance(Duration.ofSeconds(1));
    offer(6, 6);
    runTasks();
    assertThat(lines).hasSize(2).last().isEqualTo("failed 5 times: broken");
  }

  @Test
  void anExecutorThatTakesNothingIsAskedAgainByTheNextEvent() {
    List<Runnable> taken = new ArrayList<>();
    boolean[] full = {true};
    EventQueue<Integer> refused =
        new EventQueue<>(
            task -> {
              if (full[0]) {
                throw new RejectedExecutionException("full");
              }
              taken.add(task);
            },
            event -> seen.add(event),
            CAPACITY,
            Duration.ZERO,
            clock,
            log);
    refused.offer(1);
    full[0] = false;
    refused.offer(2);
    assertThat(taken).hasSize(1);
    taken.get(0).run();
    assertThat(seen).containsExactly(1, 2);
  }

  @Test
  void whereThereIsNoThreadTheNextEventAsksAgain() {
    List<Runnable> taken = new ArrayList<>();
    Error[] missing = {new OutOfMemoryError("unable to create native thread")};
    EventQueue<Integer> starved =
        new EventQueue<>(
            task -> {
              if (missing[0] != null) {
                throw missing[0];
              }
              taken.add(task);
            },
            event -> seen.add(event),
            CAPACITY,
            Duration.ZERO,
            clock,
            log);
    starved.offer(1);
    missing[0] = null;
    starved.offer(2);
    taken.get(0).run();
    assertThat(seen).containsExactly(1, 2);
  }

  @Test
  void aTaskWhoseClockBreaksDownIsFollowedByAnother() {
    Error failure = new OutOfMemoryError("for the line about it");
    EventQueue<Integer> broken =
        new EventQueue<>(
            tasks::add,
            event -> {
              throw new IllegalStateException("observer");
            },
            CAPACITY,
            Duration.ZERO,
            () -> {
              throw failure;
            },
            log);
    for (int i = 1; i <= 2; i++) {
      broken.offer(i);
      assertThat(tasks).hasSize(1);
      assertThatThrownBy(tasks.remove()::run).isSameAs(failure);
    }
  }

  @Test
  void onceStoppedItTakesAndHandsOnNothing() {
    offer(1, 3);
    queue.stop(Duration.ZERO);
    offer(4, 4);
    runTasks();
    assertThat(seen).isEmpty();
  }

  @Test
  void aTaskWaitsForMoreSoThatNotEachEventStartsAnother() throws Exception {
    ExecutorService pool = Executors.newCachedThreadPool();
    List<Runnable> started = Collections.synchronizedList(new ArrayList<>());
    EventQueue<Integer> patient =
        new EventQueue<>(
            task -> {
              started.add(task);
              pool.execute(task);
            },
            event -> seen.add(event),
            CAPACITY,
            Duration.ofMinutes(1),
            clock,
            log);
    try {
      for (int i = 1; i <= 3; i++) {
        int number = i;
        patient.offer(i);
        await().untilAsserted(() -> assertThat(seen).hasSize(number));
      }
      assertThat(started).hasSize(1);
      patient.stop(Duration.ofMinutes(1));
      pool.shutdown();
      assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).as("ends when stopped").isTrue();
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void anObserverAtWorkMayEndBeforeItWouldBeInterrupted() throws Exception {
    CountDownLatch atWork = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    observer =
        event -> {
          atWork.countDown();
          try {
            mayEnd.await();
            seen.add(event);
          } catch (InterruptedException hurried) {
            throw new IllegalStateException(hurried);
          }
        };
    ExecutorService pool = Executors.newCachedThreadPool();
    EventQueue<Integer> stoppable =
        new EventQueue<>(
            pool, event -> observer.accept(event), CAPACITY, Duration.ofMinutes(1), clock, log);
    Thread stopping = new Thread(() -> stoppable.stop(Duration.ofMinutes(1)));
    try {
      stoppable.offer(1);
      stoppable.offer(2);
      assertThat(atWork.await(10, TimeUnit.SECONDS)).isTrue();
      stopping.start();
      await().until(() -> stopping.getState() == Thread.State.TIMED_WAITING);

      mayEnd.countDown();

      stopping.join(10_000);
      assertThat(stopping.isAlive()).as("waits for longer than the observer").isFalse();
      assertThat(seen).containsExactly(1);
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void anObserverThatDoesNotEndIsInterruptedAndNobodyComplains() throws Exception {
    CountDownLatch atWork = new CountDownLatch(1);
    observer =
        event -> {
          atWork.countDown();
          try {
            new CountDownLatch(1).await(); // for ever
          } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
          }
        };
    ExecutorService pool = Executors.newCachedThreadPool();
    EventQueue<Integer> stoppable =
        new EventQueue<>(
            pool, event -> observer.accept(event), CAPACITY, Duration.ofMinutes(1), clock, log);
    try {
      stoppable.offer(1);
      assertThat(atWork.await(10, TimeUnit.SECONDS)).isTrue();
      stoppable.stop(Duration.ofMillis(1));
      pool.shutdown();
      assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
      assertThat(lines).isEmpty();
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void whileManyThreadsOfferNoEventIsLostOrDoubledAndEachThreadsOrderIsKept() throws Exception {
    int threads = 4;
    int each = 5_000;
    ExecutorService pool = Executors.newFixedThreadPool(threads + 1);
    CountDownLatch all = new CountDownLatch(threads * each);
    EventQueue<Integer> open =
        new EventQueue<>(
            pool,
            event -> {
              seen.add(event);
              all.countDown();
            },
            threads * each,
            Duration.ofSeconds(10),
            clock,
            log);
    try {
      for (int thread = 0; thread < threads; thread++) {
        int first = thread * each;
        pool.execute(() -> IntStream.range(first, first + each).boxed().forEach(open::offer));
      }
      assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
    } finally {
      pool.shutdownNow();
    }
    assertThat(seen).hasSize(threads * each).doesNotHaveDuplicates();
    for (int thread = 0; thread < threads; thread++) {
      int of = thread;
      assertThat(seen.stream().filter(number -> number / each == of)).isSorted();
    }
  }
}
