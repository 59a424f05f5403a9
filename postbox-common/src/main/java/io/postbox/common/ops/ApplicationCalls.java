package io.postbox.common.ops;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs the application's code (payload loader, cipher) on threads of its own within a time limit,
 * so that code that hangs costs the caller a thread of these, but not its own. What runs is counted
 * by what it runs for, so that code that hangs for one stops no other. Thread-safe.
 */
public final class ApplicationCalls {
  private final Executor executor;
  private final int workers;
  private final Map<String, Integer> running = new ConcurrentHashMap<>();

  /**
   * @param executor runs the application's code
   * @param workers how many callers there are at once
   */
  public ApplicationCalls(Executor executor, int workers) {
    this.executor = executor;
    this.workers = workers;
  }

  /** Others on the same threads, which are counted apart from these. */
  public ApplicationCalls apart() {
    return new ApplicationCalls(executor, workers);
  }

  /** How many run at once for one thing: one of each caller's own, and as many that hang. */
  public static int runningAtMost(int workers) {
    return 2 * workers;
  }

  /** As many as may run at once for one thing do, and none of them has ended. */
  public static final class AllHang extends Exception {
    private static final long serialVersionUID = 1L;

    AllHang(String of) {
      super("earlier calls of the application's code for " + of + " still hang");
    }
  }

  /**
   * Runs code on a thread of its own.
   *
   * @throws TimeoutException if it has not ended within the limit; it may still
   * @throws RejectedExecutionException if the executor takes nothing more
   * @throws ExecutionException if it fails
   * @throws InterruptedException if the caller is interrupted
   */
  public <T> T call(Duration limit, Callable<T> code)
      throws TimeoutException, ExecutionException, InterruptedException {
    FutureTask<T> call = new FutureTask<>(code);
    executor.execute(call);
    try {
      return call.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      call.cancel(false); // if it has not begun, it never does
    }
  }

  /**
   * Runs the application's code on the present thread, which is one of {@link #call}.
   *
   * @param of what it runs for, by which it is counted
   * @throws AllHang if as many as may for that still run
   * @throws Exception if it fails
   */
  public <T> T counted(String of, Callable<T> code) throws Exception {
    if (running.merge(of, 1, Integer::sum) > runningAtMost(workers)) {
      release(of);
      throw new AllHang(of);
    }
    try {
      return code.call();
    } finally {
      release(of);
    }
  }

  private void release(String of) {
    running.computeIfPresent(of, (name, now) -> now == 1 ? null : now - 1);
  }

  /**
   * Runs code whose effect may be left out.
   *
   * @param of what it runs for, by which it is counted
   * @return why it was not carried out to its end in time; empty if it was
   */
  public Optional<String> attempt(String of, Duration limit, Runnable code) {
    try {
      call(
          limit,
          () ->
              counted(
                  of,
                  () -> {
                    code.run();
                    return true;
                  }));
      return Optional.empty();
    } catch (TimeoutException late) {
      return Optional.of("not within " + limit.toMillis() + " ms");
    } catch (ExecutionException failed) {
      Throwable cause = failed.getCause();
      return Optional.of(
          cause instanceof AllHang hanging
              ? String.valueOf(hanging.getMessage())
              : String.valueOf(cause == null ? null : cause.getClass().getName()));
    } catch (RejectedExecutionException stopped) {
      return Optional.of("its executor has stopped");
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return Optional.of("its thread was interrupted");
    }
  }
}
