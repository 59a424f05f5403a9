package io.postbox.common.platform;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** The MBeans of the server, which another version of it may not have. Thread-safe. */
final class ManagedBeans {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  /** The names that fit a pattern, or the one that is one. */
  Set<ObjectName> names(String pattern) {
    return server.queryNames(name(pattern), null);
  }

  /** A name that is no pattern. */
  static ObjectName name(String name) {
    try {
      return new ObjectName(name);
    } catch (MalformedObjectNameException wrong) {
      throw new IllegalArgumentException(name, wrong);
    }
  }

  /** An attribute, if there is one of that type. */
  <T> Optional<T> attribute(ObjectName bean, String attribute, Class<T> type) {
    return attribute(bean, attribute, type, null);
  }

  /**
   * An attribute, if there is one of that type.
   *
   * @param undefined what it is if it has no value
   */
  <T> Optional<T> attribute(
      ObjectName bean, String attribute, Class<T> type, @Nullable T undefined) {
    try {
      @Nullable Object value = server.getAttribute(bean, attribute);
      if (value == null) {
        return Optional.ofNullable(undefined);
      }
      return type.isInstance(value) ? Optional.of(type.cast(value)) : Optional.empty();
    } catch (JMException | RuntimeException anotherVersion) {
      return Optional.empty();
    }
  }

  /**
   * Invokes an operation.
   *
   * @param parameters are strings
   * @throws IllegalStateException if the server fails to carry it out
   */
  @Nullable Object invoke(ObjectName bean, String operation, String... parameters) {
    try {
      String[] types = new String[parameters.length];
      Arrays.fill(types, String.class.getName());
      return server.invoke(bean, operation, parameters, types);
    } catch (JMException failed) {
      throw new IllegalStateException(
          "The server's %s failed to %s. No message is lost."
              .formatted(bean, String.join(" ", operation, String.join(" ", parameters)).strip()),
          failed);
    }
  }

  /** Whether there is a bean of a name. */
  boolean isThere(ObjectName bean) {
    return server.isRegistered(bean);
  }
}
