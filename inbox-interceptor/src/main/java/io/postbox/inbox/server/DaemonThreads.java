package io.postbox.inbox.server;

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
