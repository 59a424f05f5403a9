package io.postbox.inbox.startup;

import io.postbox.common.server.Jndi;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.server.ApplicationContext;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ContextService;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.Executor;
import javax.naming.NamingException;
import org.jspecify.annotations.Nullable;

/** The application's context, as the server's {@link ContextService} captures it. Thread-safe. */
@ApplicationScoped
public class ApplicationContextBean {
  /** Not injected everywhere into a bean of a library. */
  @Resource @Nullable ContextService injected;

  private ApplicationContext context;

  @PostConstruct
  void capture() {
    ContextService contexts = injected == null ? lookedUp() : injected;
    context =
        new ApplicationContext(
            () -> contexts.createContextualProxy(Runnable::run, Executor.class),
            WatchLog::contextEnded);
  }

  private static ContextService lookedUp() {
    try {
      return (ContextService) Jndi.lookup("java:comp/DefaultContextService");
    } catch (NamingException missing) {
      throw new InboxException(
          "The server has no java:comp/DefaultContextService, so nothing runs in the application's"
              + " context",
          missing);
    }
  }

  /** Runs tasks in it; not a proxy, so that it can be called while the application stops. */
  public ApplicationContext get() {
    return context;
  }
}
