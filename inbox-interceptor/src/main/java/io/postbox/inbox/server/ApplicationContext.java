package io.postbox.inbox.server;

import io.postbox.common.platform.Platform;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Runs tasks on the inbox's own threads in the application's context: with its {@code java:} names
 * and the current CDI container.
 *
 * <p>The server captures the context of the thread that asks for it. While the application starts,
 * that can be a context of the server's CDI, named after a module and not after the application,
 * which ends as soon as any application with a module of that name stops (CWWKC1012E). So the
 * context is captured once more on the first thread of a component, and again whenever it has
 * ended. In between tasks run without any. Where contexts share connections ({@link
 * Platform#contextsShareConnections}), that of the start is the only one. Thread-safe.
 */
public final class ApplicationContext implements Executor {
  private static final Captured NONE = new Captured(Runnable::run, false);

  private final Supplier<Executor> capture;
  private final boolean takesThatOfComponents;
  private final Runnable ended;
  private final AtomicReference<Captured> current;

  /**
   * Captures the calling thread's context.
   *
   * @param capture captures a thread's context; throws IllegalStateException if it has none
   * @param takesThatOfComponents whether a component's context is captured too
   * @param ended called when tasks run without a context from now on
   */
  public ApplicationContext(
      Supplier<Executor> capture, boolean takesThatOfComponents, Runnable ended) {
    this.capture = capture;
    this.takesThatOfComponents = takesThatOfComponents;
    this.ended = ended;
    current = new AtomicReference<>(new Captured(capture.get(), false));
  }

  /** The calling thread is a component's: captures its context, unless there is one already. */
  public void enteredByComponent() {
    if (takesThatOfComponents && !current.get().isOfComponent) {
      current.set(new Captured(capture.get(), true));
    }
  }

  /** Runs a task on the calling thread. */
  @Override
  public void execute(Runnable task) {
    Captured used = current.get();
    Once once = new Once(task);
    try {
      used.executor.execute(once);
    } catch (IllegalStateException refused) {
      if (once.hasBegun) {
        throw refused;
      }
      if (current.compareAndSet(used, NONE)) {
        ended.run();
      }
      task.run();
    }
  }

  private record Captured(Executor executor, boolean isOfComponent) {}

  /** Knows whether it was refused, or failed. */
  private static final class Once implements Runnable {
    private final Runnable task;
    private boolean hasBegun;

    Once(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      hasBegun = true;
      task.run();
    }
  }
}
