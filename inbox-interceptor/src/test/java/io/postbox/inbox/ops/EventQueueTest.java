package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.postbox.common.testing.SettableClock;
import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.MessageFailed;
import io.postbox.inbox.log.LogLines;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EventQueueTest {
  private static final int CAPACITY = 5;

  private final SettableClock clock = new SettableClock();
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
  private Consumer<MessageEvent> observer = event -> seen.add(number(event));
  private final EventQueue queue =
      new EventQueue(tasks::add, event -> observer.accept(event), CAPACITY, Duration.ZERO, clock);

  private static MessageEvent event(int number) {
    return new MessageFailed("c", Optional.empty(), Optional.empty(), number, false, "why");
  }

  private static int number(MessageEvent event) {
    return ((MessageFailed) event).attempt();
  }

  private void offer(int from, int to) {
    IntStream.rangeClosed(from, to).mapToObj(EventQueueTest::event).forEach(queue::offer);
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
  void whatComesWhileTooManyWaitIsDroppedCountedAndToldOnce() {
    try (LogLines log = new LogLines()) {
      offer(1, 9);
      assertThat(queue.dropped()).isEqualTo(4);
      assertThat(log.all()).singleElement().asString().startsWith("IBX0083 5 events wait");

      runTasks();
      assertThat(seen).containsExactly(1, 2, 3, 4, 5);
      assertThat(log.all()).hasSize(2).last().asString().contains("IBX0084").contains("4 events");

      offer(10, 16);
      runTasks();
      assertThat(log.all()).hasSize(4).last().asString().contains("2 events");
      assertThat(queue.dropped()).isEqualTo(6);
    }
  }

  @Test
  void anObserverThatThrowsHurtsNoOtherEvent() {
    observer =
        event -> {
          if (number(event) == 2) {
            throw new IllegalStateException("observer");
          }
          if (number(event) == 3) {
            throw new StackOverflowError("observer");
          }
          seen.add(number(event));
        };
    offer(1, 4);
    runTasks();
    assertThat(seen).containsExactly(1, 4);
  }

  /** Such as that the log, too, lacks memory. */
  @Test
  void aTaskThatBreaksDownIsFollowedByAnother() {
    observer =
        event -> {
          throw new OutOfMemoryError("while observing");
        };
    offer(1, 2);
    try (LogLines log = new LogLines()) {
      log.broken = new OutOfMemoryError("while telling");
      assertThatThrownBy(tasks.remove()::run).isSameAs(log.broken);
    }
    observer = event -> seen.add(number(event));

    offer(3, 3);

    assertThat(tasks).hasSize(1);
    runTasks();
    assertThat(seen).containsExactly(2, 3);
  }

  @Test
  void anObserverThatAlwaysThrowsIsToldOnceAMinute() {
    observer =
        event -> {
          throw new IllegalStateException("broken");
        };
    try (LogLines log = new LogLines()) {
      offer(1, 3);
      runTasks();
      clock.advance(Duration.ofSeconds(59));
      offer(4, 5);
      runTasks();
      assertThat(log.all()).singleElement().asString().startsWith("IBX0085 ").contains("broken");

      clock.advance(Duration.ofSeconds(1));
      offer(6, 6);
      runTasks();
      assertThat(log.all()).hasSize(2).last().asString().contains("5 times");
    }
  }

  @Test
  void anExecutorThatTakesNothingIsAskedAgainByTheNextEvent() {
    List<Runnable> taken = new ArrayList<>();
    boolean[] full = {true};
    EventQueue refused =
        new EventQueue(
            task -> {
              if (full[0]) {
                throw new RejectedExecutionException("full");
              }
              taken.add(task);
            },
            event -> seen.add(number(event)),
            CAPACITY,
            Duration.ZERO,
            clock);
    refused.offer(event(1));
    full[0] = false;
    refused.offer(event(2));
    assertThat(taken).hasSize(1);
    taken.get(0).run();
    assertThat(seen).containsExactly(1, 2);
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
    EventQueue patient =
        new EventQueue(
            task -> {
              started.add(task);
              pool.execute(task);
            },
            event -> seen.add(number(event)),
            CAPACITY,
            Duration.ofMinutes(1),
            clock);
    try {
      for (int i = 1; i <= 3; i++) {
        int number = i;
        patient.offer(event(i));
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
            seen.add(number(event));
          } catch (InterruptedException hurried) {
            throw new IllegalStateException(hurried);
          }
        };
    ExecutorService pool = Executors.newCachedThreadPool();
    EventQueue stoppable =
        new EventQueue(
            pool, event -> observer.accept(event), CAPACITY, Duration.ofMinutes(1), clock);
    Thread stopping = new Thread(() -> stoppable.stop(Duration.ofMinutes(1)));
    try {
      stoppable.offer(event(1));
      stoppable.offer(event(2));
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
    EventQueue stoppable =
        new EventQueue(
            pool, event -> observer.accept(event), CAPACITY, Duration.ofMinutes(1), clock);
    try (LogLines log = new LogLines()) {
      stoppable.offer(event(1));
      assertThat(atWork.await(10, TimeUnit.SECONDS)).isTrue();
      stoppable.stop(Duration.ofMillis(1));
      pool.shutdown();
      assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
      assertThat(log.all()).isEmpty();
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
    EventQueue open =
        new EventQueue(
            pool,
            event -> {
              seen.add(number(event));
              all.countDown();
            },
            threads * each,
            Duration.ofSeconds(10),
            clock);
    try {
      for (int thread = 0; thread < threads; thread++) {
        int first = thread * each;
        pool.execute(
            () ->
                IntStream.range(first, first + each)
                    .mapToObj(EventQueueTest::event)
                    .forEach(open::offer));
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
