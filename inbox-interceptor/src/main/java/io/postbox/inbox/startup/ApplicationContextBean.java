package io.postbox.inbox.startup;

import io.postbox.common.platform.Platforms;
import io.postbox.common.server.ServerContext;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.server.ApplicationContext;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ContextService;
import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;

/** The application's context, as the server's {@link ContextService} captures it. Thread-safe. */
@ApplicationScoped
public class ApplicationContextBean {
  @Resource @Nullable ContextService contexts;

  private ApplicationContext context;

  @PostConstruct
  void capture() {
    context =
        new ApplicationContext(
            () -> ServerContext.captured(contexts),
            !Platforms.here().contextsShareConnections(),
            WatchLog::contextEnded);
  }

  /** Runs tasks in it; not a proxy, so that it can be called while the application stops. */
  public ApplicationContext get() {
    return context;
  }
}
