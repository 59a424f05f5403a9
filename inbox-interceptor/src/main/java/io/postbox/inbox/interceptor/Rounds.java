package io.postbox.inbox.interceptor;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Does something again and again on a thread of its own: there is no EJB in {@code lib} of an EAR,
 * and so no timer.
 */
final class Rounds {
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final OwnThreads threads;

  private Rounds(OwnThreads threads) {
    this.threads = threads;
  }

  /**
   * Begins.
   *
   * @param name the thread's
   * @param pause before each round
   * @param round what to do; must not throw, or it ends
   */
  static Rounds start(String name, Duration pause, Runnable round) {
    Rounds rounds = new Rounds(new OwnThreads(name));
    rounds.threads.execute(
        () -> {
          while (!rounds.isStoppedAfter(pause)) {
            round.run();
          }
        });
    return rounds;
  }

  private boolean isStoppedAfter(Duration pause) {
    try {
      return stopped.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException theServerEnds) {
      return true;
    }
  }

  /** Begins no other round, and waits for the one that runs. */
  void stop(Duration patience) {
    stopped.countDown();
    threads.awaitEnd(patience);
  }
}
