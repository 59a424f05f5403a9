package io.postbox.inbox.server;

import io.postbox.common.ops.Interrupts;
import io.postbox.inbox.log.WatchLog;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Starts plain daemon threads, one for each task, that are never interrupted. The server interrupts
 * its own threads when the application stops, and H2 closes a database file for all users when a
 * thread is interrupted in it. The server's threads also run in the context in which they were
 * created, which at startup is an internal one of Liberty that no longer exists later (CWWKC1012E).
 * Thread-safe.
 */
public final class DaemonThreads implements Executor {
  private final String name;
  private final Set<Thread> running = ConcurrentHashMap.newKeySet();

  /**
   * @param name the threads' name
   */
  public DaemonThreads(String name) {
    this.name = name;
  }

  /**
   * Runs a task at once, in no transaction and no context of the server's.
   *
   * @throws OutOfMemoryError if the machine has no thread left; the task does not run
   */
  @Override
  public void execute(Runnable task) {
    Thread thread = new Thread(() -> run(task), name);
    thread.setDaemon(true);
    thread.setContextClassLoader(getClass().getClassLoader()); // not the starting thread's
    running.add(thread);
    try {
      thread.start();
    } catch (Throwable refused) {
      running.remove(thread);
      throw refused;
    }
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable broken) { // nothing else would log it
      WatchLog.threadBrokeDown(name, broken);
    } finally {
      running.remove(Thread.currentThread());
    }
  }

  /** One round of an endless task. */
  @FunctionalInterface
  interface Round {
    /**
     * Waits for work and does it.
     *
     * @return whether another round follows
     */
    boolean go() throws Exception;
  }

  /**
   * Repeats a round on the calling thread, which is one of these, until it says that it was the
   * last. Nothing else ends that: neither an Error, because a lack of memory or threads may be
   * temporary and other messages are not to blame, nor an interrupt ({@link Interrupts}).
   *
   * @param pause the wait after a round that failed
   */
  void repeat(Round round, Runnable pause) {
    boolean goesOn = true;
    boolean breaks = false;
    while (goesOn) {
      Interrupts.forget();
      try {
        if (breaks) {
          pause.run();
        }
        goesOn = round.go();
        breaks = false;
      } catch (InterruptedException leftOver) { // see above
      } catch (Throwable broken) {
        tellOnce(broken, breaks);
        breaks = true;
      }
    }
  }

  /** Once, and not in every round. */
  private void tellOnce(Throwable broken, boolean brokeBefore) {
    if (!brokeBefore) {
      try {
        WatchLog.roundBrokeDown(name, broken);
      } catch (Throwable noMemory) { // not even for the line; the rounds matter more
      }
    }
  }

  /** Their name. */
  String name() {
    return name;
  }

  /** Waits until the running tasks have returned, up to a limit for all of them. */
  public void awaitEnd(Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    try {
      for (Thread thread : running) {
        long left = end - System.nanoTime();
        if (left > 0) {
          TimeUnit.NANOSECONDS.timedJoin(thread, left);
        }
      }
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }
}
