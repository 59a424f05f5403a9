package io.postbox.inbox.server;

import io.postbox.inbox.log.WatchLog;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Does something again and again on a thread of its own: there is no EJB in {@code lib} of an EAR,
 * and so no timer.
 */
public final class PeriodicTask {
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final DaemonThreads threads;

  private PeriodicTask(DaemonThreads threads) {
    this.threads = threads;
  }

  /**
   * Begins.
   *
   * @param name the thread's
   * @param pause before each round
   * @param round what to do; whatever it throws, the next one begins
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

  /** Also an Error, such as that no thread or memory is left, is over some time. */
  private static boolean isDone(String name, Runnable round, boolean brokeBefore) {
    try {
      round.run();
      return true;
    } catch (Throwable broken) {
      if (!brokeBefore) { // once, and not with every round
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

  /** Begins no other round, and waits for the one that runs. */
  public void stop(Duration patience) {
    stopped.countDown();
    threads.awaitEnd(patience);
  }
}
