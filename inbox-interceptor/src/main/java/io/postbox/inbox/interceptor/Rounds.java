package io.postbox.inbox.interceptor;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Does something again and again on a plain thread. There is no EJB in {@code lib} of an EAR, and
 * so no timer; and the server's executors would run it in the context in which they were given it,
 * which at startup is one of Liberty's own, of which it says later that it is not there
 * (CWWKC1012E). Nothing that is done here needs a context.
 */
final class Rounds {
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread;

  private Rounds(String name, Duration pause, Runnable round) {
    thread =
        new Thread(
            () -> {
              while (!isStoppedAfter(pause)) {
                round.run();
              }
            },
            name);
    thread.setDaemon(true);
  }

  /**
   * Begins.
   *
   * @param name the thread's
   * @param pause before each round
   * @param round what to do; must not throw, or it ends
   */
  static Rounds start(String name, Duration pause, Runnable round) {
    Rounds rounds = new Rounds(name, pause, round);
    rounds.thread.start();
    return rounds;
  }

  private boolean isStoppedAfter(Duration pause) {
    try {
      return stopped.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException theServerEnds) {
      return true;
    }
  }

  /**
   * Begins no other round, and waits for the one that runs. Never interrupts it: H2 closes a
   * database in whose file somebody was interrupted.
   */
  void stop(Duration patience) {
    stopped.countDown();
    try {
      thread.join(patience.toMillis());
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }
}
