package io.postbox.inbox.server;

import io.postbox.inbox.log.WatchLog;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Plain daemon threads, one for each task, that nobody interrupts. The server's would be
 * interrupted when the application goes, and H2 closes a database in whose file somebody was
 * interrupted, for all that use it; and they would run in the context in which the server made
 * them, which at startup is one of Liberty's own, of which it says later that it is not there
 * (CWWKC1012E). Thread-safe.
 */
public final class DaemonThreads implements Executor {
  private final String name;
  private final Set<Thread> running = ConcurrentHashMap.newKeySet();

  /**
   * @param name the threads'
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
    thread.setContextClassLoader(getClass().getClassLoader()); // rather than whoever's it would be
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
    } catch (Throwable broken) { // nobody else would ever hear of it
      WatchLog.threadBrokeDown(name, broken);
    } finally {
      running.remove(Thread.currentThread());
    }
  }

  /** Waits until the tasks that run have returned, all together so long at most. */
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
