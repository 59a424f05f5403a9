package io.postbox.common.server;

import io.postbox.common.config.ConfigurationException;
import io.postbox.common.platform.Platform;
import io.postbox.common.platform.Platforms;
import jakarta.enterprise.concurrent.ContextService;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/** The calling thread's context, captured for tasks on other threads. */
public final class ServerContext {
  private ServerContext() {}

  /**
   * Captures it.
   *
   * @param injected the server's service, if the calling bean has got it; not every bean of a
   *     library does
   * @return runs a task on its caller's thread, in the context; thread-safe; it throws {@link
   *     IllegalStateException}, and runs nothing, once the context has ended
   * @throws ConfigurationException if the server has no such service
   */
  public static Executor captured(@Nullable ContextService injected) {
    return captured(
        injected == null ? lookedUp() : injected, Platforms.here().contextsShareConnections());
  }

  /**
   * The same, where each task has a copy of its own, made in the captured context, if contexts
   * share connections ({@link Platform#contextsShareConnections}).
   */
  static Executor captured(ContextService contexts, boolean copiedForEachTask) {
    Executor captured = calling(contexts);
    return copiedForEachTask ? task -> copy(captured, contexts).execute(task) : captured;
  }

  private static Executor copy(Executor captured, ContextService contexts) {
    AtomicReference<Executor> copy = new AtomicReference<>();
    synchronized (captured) {
      captured.execute(() -> copy.set(calling(contexts)));
    }
    return copy.get();
  }

  private static Executor calling(ContextService contexts) {
    return contexts.createContextualProxy(Runnable::run, Executor.class);
  }

  private static ContextService lookedUp() {
    try {
      return (ContextService) Jndi.lookup("java:comp/DefaultContextService");
    } catch (NamingException missing) {
      throw new ConfigurationException(
          "The server has no java:comp/DefaultContextService (%s), so nothing runs in the application's context: %s."
              .formatted(missing.getMessage(), Platforms.here().toGet("concurrent-3.0")));
    }
  }
}
