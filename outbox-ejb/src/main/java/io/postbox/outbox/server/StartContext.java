package io.postbox.outbox.server;

import io.postbox.common.platform.Platforms;
import io.postbox.common.server.ServerContext;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ContextService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The context of the application's start, which has no connections, for servers whose contexts
 * share them: else the transaction in which one worker sends would take in the claims of all
 * others, and end them.
 */
@ApplicationScoped
class StartContext {
  @Resource @Nullable ContextService contexts;

  private volatile Executor context = Runnable::run;

  void startUp(@Observes Startup event) {
    if (Platforms.here().contextsShareConnections()) {
      context = ServerContext.captured(contexts);
    }
  }

  /**
   * Makes threads in it, where that matters.
   *
   * @param threads the server's, of a component: elsewhere the context is that of its look-up
   */
  ThreadFactory threads(ThreadFactory threads) {
    return task -> {
      AtomicReference<Thread> made = new AtomicReference<>();
      context.execute(() -> made.set(threads.newThread(task)));
      return made.get();
    };
  }
}
