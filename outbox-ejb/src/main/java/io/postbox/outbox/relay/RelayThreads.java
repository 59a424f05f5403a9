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
 * The threads of a node's relay. A broken connection can leave a local transaction on its thread in
 * Liberty that cannot be ended and that prevents any JTA transaction there; it goes with the
 * thread.
 *
 * @param lasting run the relay, and are kept for the next task; one on which a submitted task
 *     failed is replaced
 * @param oneEach end with their task: for the application's code, which may leave behind anything,
 *     and for what is done rarely
 */
public record RelayThreads(ExecutorService lasting, ExecutorService oneEach) {
  /** A server may leave a pooled connection with a thread until it ends: not for long. */
  private static final long IDLE_SECONDS = 5;

  /** Threads that this factory makes. */
  public static RelayThreads of(ThreadFactory threads) {
    return new RelayThreads(
        new Lasting(threads),
        new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 0, TimeUnit.SECONDS, new SynchronousQueue<>(), threads));
  }

  /** Takes no more tasks, and interrupts none: that could close a file of the broker's log. */
  public void shutdown() {
    lasting.shutdown();
    oneEach.shutdown();
  }

  /** As many threads as there are tasks at once. */
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
        // the pool has seen to it
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
