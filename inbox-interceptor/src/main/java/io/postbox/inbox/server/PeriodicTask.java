package io.postbox.inbox.server;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Runs a task periodically on a thread of its own: {@code lib} of an EAR cannot contain an EJB, so
 * there is no timer.
 */
public final class PeriodicTask {
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final DaemonThreads threads;

  private PeriodicTask(DaemonThreads threads) {
    this.threads = threads;
  }

  /**
   * Starts the thread.
   *
   * @param name the thread's name
   * @param pause the pause before each round
   * @param round the task; the next round begins even after an exception
   */
  public static PeriodicTask start(String name, Duration pause, Runnable round) {
    PeriodicTask rounds = new PeriodicTask(new DaemonThreads(name));
    rounds.threads.execute(() -> rounds.threads.repeat(() -> rounds.go(pause, round), () -> {}));
    return rounds;
  }

  private boolean go(Duration pause, Runnable round) throws InterruptedException {
    if (stopped.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
      return false;
    }
    round.run();
    return true;
  }

  /** Starts no further round, and waits for the running one. */
  public void stop(Duration patience) {
    stopped.countDown();
    threads.awaitEnd(patience);
  }
}
