package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RelayThreadsTest {
  private final List<Thread> started = new CopyOnWriteArrayList<>();
  private final List<Throwable> uncaught = new CopyOnWriteArrayList<>();
  private final RelayThreads threads =
      RelayThreads.of(
          task -> {
            Thread thread = new Thread(task);
            thread.setUncaughtExceptionHandler((it, failure) -> uncaught.add(failure));
            started.add(thread);
            return thread;
          });

  @AfterEach
  void end() {
    threads.shutdown();
  }

  private Thread next(ExecutorService executor) throws Exception {
    Thread ran = executor.submit(Thread::currentThread).get();
    await().until(() -> isIdle(ran) || !ran.isAlive());
    return ran;
  }

  /** It waits for a task, and no longer than for some seconds. */
  private static boolean isIdle(Thread thread) {
    return thread.getState() == Thread.State.TIMED_WAITING;
  }

  @Test
  void aThreadOfOneTaskIsNotGivenAnother() throws Exception {
    Set<Thread> ran = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      ran.add(threads.oneEach().submit(Thread::currentThread).get());
    }
    assertThat(ran).hasSize(100);
  }

  @Test
  void aThreadThatLastsIsGivenOneTaskAfterTheOther() throws Exception {
    for (int i = 0; i < 100; i++) {
      next(threads.lasting());
    }
    assertThat(started).hasSize(1);
  }

  @Test
  void thereAreAsManyThatLastAsThereAreTasksAtOnce() throws Exception {
    CyclicBarrier together = new CyclicBarrier(4);
    for (int i = 0; i < 3; i++) {
      Future<?> unused = threads.lasting().submit(() -> together.await(1, TimeUnit.MINUTES));
    }
    together.await(1, TimeUnit.MINUTES);
    started.forEach(thread -> await().until(() -> isIdle(thread)));
    next(threads.lasting());
    assertThat(started).hasSize(3);
  }

  /** Leftovers of its connection would stay on it for the next task. */
  @Test
  void aThreadOnWhichATaskFailedIsReplacedAndOnlyThat() throws Exception {
    Thread other = hold();
    Thread failing = next(threads.lasting());
    Future<?> failed =
        threads
            .lasting()
            .submit(
                () -> {
                  throw new IOException("the connection broke");
                });
    assertThatThrownBy(failed::get).isInstanceOf(ExecutionException.class);
    failing.join(); // before its end it has started another
    await().until(() -> started.size() == 3 && isIdle(started.get(2)));

    Thread replacement = next(threads.lasting());
    assertThat(replacement).isNotIn(failing, other);
    assertThat(other.isAlive()).isTrue();
    assertThat(started).containsExactly(other, failing, replacement);
    assertThat(uncaught).isEmpty();
  }

  @Test
  void aFullDrainStartsNoThreadForABatch() throws Exception {
    int workers = 2;
    RelayFixture fixture =
        new RelayFixture(TestDatabase.H2, TestConfig.DEFAULT.withRelay(workers, 5));
    for (int i = 0; i < 16; i++) {
      fixture.enqueue(RelayFixture.keyed(100, "d", "key " + i));
    }
    Relay relay = fixture.relay(fixture.broker, threads.lasting(), InstantSource.system());
    relay.poll();
    await().atMost(1, TimeUnit.MINUTES).until(() -> fixture.broker.received().size() == 1_600);
    relay.stop();

    assertThat(fixture.broker.calls()).isGreaterThanOrEqualTo(320);
    assertThat(started).as("a worker's own and its sender's").hasSizeLessThanOrEqualTo(4 * workers);
  }

  /** A thread with a task that ends with the test. */
  private Thread hold() throws Exception {
    CyclicBarrier begun = new CyclicBarrier(2);
    Future<?> unused =
        threads
            .lasting()
            .submit(
                () -> {
                  begun.await();
                  return await().until(threads.lasting()::isShutdown, it -> it);
                });
    begun.await();
    return started.get(0);
  }
}
