package io.postbox.inbox.receiver;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The handlers that run on the calling thread. */
public final class RunningHandlers {
  private static final ThreadLocal<@Nullable Deque<HandlerRun>> RUNNING = new ThreadLocal<>();

  private RunningHandlers() {}

  /** Runs a handler. Until it returns, {@link #current} is this run on this thread. */
  public static @Nullable Object during(HandlerRun run, Callable<@Nullable Object> handler)
      throws Exception {
    Deque<HandlerRun> running = RUNNING.get();
    if (running == null) {
      running = new ArrayDeque<>();
      RUNNING.set(running);
    }
    running.push(run);
    try {
      return handler.call();
    } finally {
      running.pop();
      if (running.isEmpty()) {
        RUNNING.remove(); // the thread is the server's and outlives the application
      }
    }
  }

  /** Whether a handler runs on this thread. */
  public static boolean isAny() {
    return RUNNING.get() != null;
  }

  /**
   * The innermost handler's run.
   *
   * @throws IllegalStateException if no handler runs on this thread
   */
  public static HandlerRun current() {
    Deque<HandlerRun> running = RUNNING.get();
    if (running == null) {
      throw new IllegalStateException(
          "No handler of the inbox runs on this thread, so there is no current message: use InboxContext in code that a handler calls, before the handler returns and on its thread.");
    }
    return running.element();
  }
}
