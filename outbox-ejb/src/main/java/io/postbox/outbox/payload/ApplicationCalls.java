package io.postbox.outbox.payload;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs the application's code (payload loader, cipher) on threads of its own within a time limit,
 * so that code that hangs costs the relay a thread, but not its claim. Threads are counted by
 * destination, so that code that hangs for one blocks no other. Thread-safe.
 */
public final class ApplicationCalls {
  private final ExecutorService executor;
  private final int runningAtMost;
  private final Map<String, AtomicInteger> runningByDestination = new ConcurrentHashMap<>();

  /**
   * @param executor runs the application's code
   * @param workers how many batches may be in work at once
   */
  public ApplicationCalls(ExecutorService executor, int workers) {
    this.executor = executor;
    runningAtMost = runningAtMost(workers);
  }

  /**
   * How many calls run at once for one destination: one of each worker's own, and as many that
   * hang.
   */
  public static int runningAtMost(int workers) {
    return 2 * workers;
  }

  /** As many calls as may run at once for a destination do, and none of them has ended. */
  static final class AllHang extends Exception {
    private static final long serialVersionUID = 1L;

    AllHang() {
      super("earlier calls of the application's code for this destination still hang");
    }
  }

  /**
   * Runs the application's code.
   *
   * @param destinations for which it runs
   * @throws AllHang if as many calls as may for one of them still run
   * @throws TimeoutException if it has not ended within the limit; it may still
   * @throws RejectedExecutionException if the relay has stopped
   * @throws ExecutionException if it fails
   * @throws InterruptedException if the caller is interrupted
   */
  <T> T call(Collection<String> destinations, Duration limit, Callable<T> code)
      throws AllHang, TimeoutException, ExecutionException, InterruptedException {
    List<AtomicInteger> running =
        destinations.stream()
            .distinct()
            .map(it -> runningByDestination.computeIfAbsent(it, name -> new AtomicInteger()))
            .toList();
    if (running.stream().anyMatch(it -> it.get() >= runningAtMost)) {
      throw new AllHang();
    }
    Future<T> call =
        executor.submit(
            () -> {
              running.forEach(AtomicInteger::incrementAndGet);
              try {
                return code.call();
              } finally {
                running.forEach(AtomicInteger::decrementAndGet);
              }
            });
    boolean ended = false;
    try {
      T result = call.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      ended = true;
      return result;
    } finally {
      if (!ended) {
        call.cancel(false);
      }
    }
  }
}
