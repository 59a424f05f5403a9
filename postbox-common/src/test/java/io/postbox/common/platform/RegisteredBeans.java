package io.postbox.common.platform;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/** MBeans as a server's, in this JVM for the time of a test. */
final class RegisteredBeans {
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final List<ObjectName> names = new ArrayList<>();

  /**
   * Registers one.
   *
   * @param type the interface with its attributes and operations
   */
  <T> void register(String name, T bean, Class<T> type) throws JMException {
    ObjectName key = new ObjectName(name);
    server.registerMBean(new StandardMBean(bean, type), key);
    names.add(key);
  }

  /** Takes all out again. */
  void clear() throws JMException {
    for (ObjectName name : names) {
      server.unregisterMBean(name);
    }
    names.clear();
  }
}
