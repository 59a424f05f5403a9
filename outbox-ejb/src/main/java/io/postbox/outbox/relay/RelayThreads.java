package io.postbox.outbox.relay;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a node's relay. In Liberty a broken connection can leave a local transaction on
 * its thread that cannot be ended and prevents any JTA transaction there, until the thread ends.
 *
 * @param lasting threads that run the relay and are reused; one on which a submitted task failed is
 *     replaced
 * @param oneEach threads that end with their task: for application code, which may leave anything
 *     behind on its thread, and for rare tasks
 */
public record RelayThreads(ExecutorService lasting, ExecutorService oneEach) {
  /**
   * Short, because a server may keep a pooled connection assigned to a thread until the thread
   * ends.
   */
  private static final long IDLE_SECONDS = 5;

  /** Takes its threads from this factory. */
  public static RelayThreads of(ThreadFactory threads) {
    return new RelayThreads(
        new Lasting(threads),
        new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 0, TimeUnit.SECONDS, new SynchronousQueue<>(), threads));
  }

  /**
   * Accepts no more tasks, and interrupts none: an interrupt could close a file of the broker's
   * journal.
   */
  public void shutdown() {
    lasting.shutdown();
    oneEach.shutdown();
  }

  /** Runs each task at once, on a thread of its own. */
  private static final class Lasting extends ThreadPoolExecutor {
    Lasting(ThreadFactory threads) {
      super(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          worker -> threads.newThread(() -> run(worker)));
    }

    private static void run(Runnable worker) {
      try {
        worker.run();
      } catch (Replaced quietly) {
        // the pool replaces the thread
      }
    }

    /** An exception from here ends the thread. */
    @Override
    protected void afterExecute(Runnable task, @Nullable Throwable failure) {
      if (failure == null && task instanceof Future<?> submitted && hasFailed(submitted)) {
        throw new Replaced();
      }
    }

    private static boolean hasFailed(Future<?> over) {
      try {
        over.get();
        return false;
      } catch (ExecutionException | CancellationException failed) {
        return true;
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return true;
      }
    }
  }

  /** Ends a thread. */
  private static final class Replaced extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Replaced() {
      super(null, null, false, false);
    }
  }
}
