package io.postbox.inbox.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.inbox.log.LogLines;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class DaemonThreadsTest {
  private static final Duration FOR_EVER = Duration.ofMinutes(1);

  private final DaemonThreads threads = new DaemonThreads("own");
  private final CountDownLatch recorded = new CountDownLatch(2);
  private final CountDownLatch mayEnd = new CountDownLatch(1);

  @Test
  void eachTaskHasADaemonThreadOfItsOwn() throws Exception {
    AtomicReference<Thread> thread = new AtomicReference<>();
    threads.execute(
        () -> {
          thread.set(Thread.currentThread());
          waitInside();
        });
    threads.execute(this::waitInside);

    recorded.await(); // both, although neither has ended
    mayEnd.countDown();
    assertThat(thread.get().isDaemon()).isTrue();
    assertThat(thread.get().getName()).isEqualTo("own");
    threads.awaitEnd(FOR_EVER);
    assertThat(thread.get().isAlive()).isFalse();
  }

  @Test
  void theEndIsAwaitedAndNobodyIsInterrupted() throws Exception {
    threads.execute(this::waitInside);
    threads.execute(this::waitInside);
    recorded.await();
    Thread waiting = new Thread(() -> threads.awaitEnd(FOR_EVER));
    waiting.start();
    await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);

    mayEnd.countDown();

    waiting.join(FOR_EVER.toMillis() / 2);
    assertThat(waiting.isAlive()).isFalse();
    assertThat(interruptions).isZero();
  }

  @Test
  void theEndIsNotAwaitedForEver() throws Exception {
    threads.execute(this::waitInside);
    threads.execute(this::waitInside);
    recorded.await();

    threads.awaitEnd(Duration.ofMillis(1));

    assertThat(interruptions).isZero();
    mayEnd.countDown();
  }

  @Test
  void aTaskThatBreaksDownIsLoggedAndNotWaitedFor() {
    try (LogLines lines = new LogLines()) {
      threads.execute(
          () -> {
            throw new OutOfMemoryError("unable to create native thread");
          });
      threads.awaitEnd(FOR_EVER);

      assertThat(lines.all())
          .singleElement()
          .asString()
          .startsWith("IBX0131 ")
          .contains("'own'", "unable to create native thread");
    }
  }

  private volatile int interruptions;

  private void waitInside() {
    recorded.countDown();
    try {
      mayEnd.await();
    } catch (InterruptedException hurried) {
      interruptions++;
    }
  }
}
