package io.postbox.common.platform;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.management.ObjectName;

/**
 * The message-driven beans of an application, of which WildFly stops and starts the delivery. The
 * id of one is the name of its MBean. Thread-safe.
 */
final class WildFlyEndpoints implements Endpoints {
  private static final String PATTERN = "jboss.as:subsystem=ejb3,message-driven-bean=*,*";

  private final ManagedBeans server = new ManagedBeans();
  private final String module;
  private final Set<String> beans;
  private final Predicate<String> hasHandlerAtWork;

  /**
   * @param module what the server calls that part of the application which has the inbox, as {@code
   *     deployment.shop.ear} or {@code deployment.shop.ear.orders.war}
   * @param beans the names of its message-driven beans whose deliveries pass the inbox
   * @param hasHandlerAtWork whether a handler may be running for one of them
   */
  WildFlyEndpoints(String module, Set<String> beans, Predicate<String> hasHandlerAtWork) {
    this.module = module;
    this.beans = beans;
    this.hasHandlerAtWork = hasHandlerAtWork;
  }

  @Override
  public Collection<String> running() {
    if (WildFly.isStarting(server)) {
      return List.of();
    }
    return ours()
        .filter(it -> server.attribute(it, "deliveryActive", Boolean.class).orElse(false))
        .map(ObjectName::getCanonicalName)
        .toList();
  }

  private Stream<ObjectName> ours() {
    return server.names(PATTERN).stream()
        .filter(it -> isOf(it.getKeyProperty("deployment")))
        .filter(it -> beans.contains(it.getKeyProperty("message-driven-bean")));
  }

  /** The application's own name may be another one than that of its archive. */
  private boolean isOf(String deployment) {
    return (module + ".").startsWith("deployment." + deployment + ".");
  }

  @Override
  public boolean isBusy(String id) {
    return hasHandlerAtWork.test(ManagedBeans.name(id).getKeyProperty("message-driven-bean"));
  }

  @Override
  public void pause(String id) {
    server.invoke(ManagedBeans.name(id), "stopDelivery");
  }

  @Override
  public void resume(String id) {
    ObjectName bean = ManagedBeans.name(id);
    if (server.isThere(bean)) {
      server.invoke(bean, "startDelivery");
    }
  }
}
