package io.postbox.outbox.server;

import io.postbox.common.platform.Platforms;
import io.postbox.common.server.ServerContext;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ContextService;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The server's threads, with the application's context. Where contexts share connections, a thread
 * is made in the context of the start, which has none: else the transaction in which one worker
 * sends would take in the claims of all others, and end them.
 */
@ApplicationScoped
class ServerThreads implements ThreadFactory {
  @Resource ManagedThreadFactory threads;
  @Resource @Nullable ContextService contexts;

  private volatile Executor context = Runnable::run;

  void startUp(@Observes Startup event) {
    if (Platforms.here().contextsShareConnections()) {
      context = ServerContext.captured(contexts);
    }
  }

  @Override
  public Thread newThread(Runnable task) {
    AtomicReference<Thread> made = new AtomicReference<>();
    context.execute(() -> made.set(threads.newThread(task)));
    return made.get();
  }
}
