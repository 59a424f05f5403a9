package io.postbox.inbox.server;

import io.postbox.inbox.log.WatchLog;
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
    rounds.threads.execute(
        () -> {
          boolean breaks = false;
          while (!rounds.isStoppedAfter(pause)) {
            breaks = !isDone(name, round, breaks);
          }
        });
    return rounds;
  }

  /** Runs a round. Catches an Error too, because a lack of threads or memory may be temporary. */
  private static boolean isDone(String name, Runnable round, boolean brokeBefore) {
    try {
      round.run();
      return true;
    } catch (Throwable broken) {
      if (!brokeBefore) { // once, not in every round
        WatchLog.roundBrokeDown(name, broken);
      }
      return false;
    }
  }

  private boolean isStoppedAfter(Duration pause) {
    try {
      return stopped.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException theServerEnds) {
      return true;
    }
  }

  /** Starts no further round, and waits for the running one. */
  public void stop(Duration patience) {
    stopped.countDown();
    threads.awaitEnd(patience);
  }
}
