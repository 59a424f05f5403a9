package io.postbox.common.platform;

import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The message endpoints of this application, through the MBean by which Open Liberty pauses and
 * resumes them; on another server there are none. An id is {@code application#module.jar#Bean}, and
 * the inbox knows a bean by application and name: a bean of the same name in another module of the
 * application is paused with it. Thread-safe.
 */
final class LibertyEndpoints implements Endpoints {
  private static final String CONTROL = "WebSphere:feature=kernel,name=ServerEndpointControl";

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final String application;
  private final Set<String> beans;
  private final Predicate<String> hasHandlerAtWork;

  /**
   * @param application the application's name in the server
   * @param beans the names of its message-driven beans whose deliveries pass the inbox
   * @param hasHandlerAtWork whether a handler may be running for one of them
   */
  LibertyEndpoints(String application, Set<String> beans, Predicate<String> hasHandlerAtWork) {
    this.application = application;
    this.beans = beans;
    this.hasHandlerAtWork = hasHandlerAtWork;
  }

  @Override
  public Collection<String> running() {
    return ids().stream().filter(id -> !Boolean.TRUE.equals(invoke("isPaused", id))).toList();
  }

  /** The server pauses and resumes only one endpoint at a time, over all its applications. */
  @Override
  public boolean isBusy(String id) {
    return hasHandlerAtWork.test(bean(id));
  }

  @Override
  public void pause(String id) {
    invoke("pause", id);
  }

  @Override
  public void resume(String id) {
    if (ids().contains(id)) {
      invoke("resume", id);
    }
  }

  private List<String> ids() {
    try {
      ObjectName control = new ObjectName(CONTROL);
      if (!server.isRegistered(control)) {
        return List.of();
      }
      Collection<?> all =
          (Collection<?>) server.invoke(control, "listEndpoints", new Object[0], new String[0]);
      return all.stream().map(String::valueOf).filter(this::isOurs).toList();
    } catch (JMException failed) {
      throw failure("listEndpoints", failed);
    }
  }

  private boolean isOurs(String id) {
    return id.startsWith(application + "#") && beans.contains(bean(id));
  }

  private static String bean(String id) {
    return id.substring(id.lastIndexOf('#') + 1);
  }

  private Object invoke(String operation, String id) {
    try {
      return server.invoke(
          new ObjectName(CONTROL),
          operation,
          new Object[] {id},
          new String[] {String.class.getName()});
    } catch (JMException failed) {
      throw failure(operation + " " + id, failed);
    }
  }

  private static IllegalStateException failure(String operation, JMException cause) {
    return new IllegalStateException(
        "The server's " + CONTROL + " failed to " + operation + ". No message is lost.", cause);
  }
}
