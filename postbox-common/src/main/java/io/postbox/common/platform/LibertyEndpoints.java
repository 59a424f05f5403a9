package io.postbox.common.platform;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import javax.management.ObjectName;

/**
 * The message endpoints of this application, through the MBean by which Open Liberty pauses and
 * resumes them; on another server there are none. An id is {@code application#module.jar#Bean}, and
 * the inbox knows a bean by application and name: a bean of the same name in another module of the
 * application is paused with it. Thread-safe.
 */
final class LibertyEndpoints implements Endpoints {
  private static final ObjectName CONTROL =
      ManagedBeans.name("WebSphere:feature=kernel,name=ServerEndpointControl");

  private final ManagedBeans server = new ManagedBeans();
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
    return ids().stream()
        .filter(id -> !Boolean.TRUE.equals(server.invoke(CONTROL, "isPaused", id)))
        .toList();
  }

  /** The server pauses and resumes only one endpoint at a time, over all its applications. */
  @Override
  public boolean isBusy(String id) {
    return hasHandlerAtWork.test(bean(id));
  }

  @Override
  public void pause(String id) {
    server.invoke(CONTROL, "pause", id);
  }

  @Override
  public void resume(String id) {
    if (ids().contains(id)) {
      server.invoke(CONTROL, "resume", id);
    }
  }

  private List<String> ids() {
    return server.isThere(CONTROL)
        ? ((Collection<?>) Objects.requireNonNull(server.invoke(CONTROL, "listEndpoints")))
            .stream().map(String::valueOf).filter(this::isOurs).toList()
        : List.of();
  }

  private boolean isOurs(String id) {
    return id.startsWith(application + "#") && beans.contains(bean(id));
  }

  private static String bean(String id) {
    return id.substring(id.lastIndexOf('#') + 1);
  }
}
