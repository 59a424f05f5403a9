package io.postbox.inbox.server;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Whether the application has started, as Open Liberty's MBean says. CDI's Startup event comes
 * before that: modules are bound to their names, and their singletons start, only later.
 * Thread-safe.
 */
public final class ApplicationState {
  private static final String MBEAN =
      "WebSphere:service=com.ibm.websphere.application.ApplicationMBean,name=";

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final String application;
  private volatile boolean hasStarted;

  /**
   * @param application the application's name in the server
   */
  public ApplicationState(String application) {
    this.application = application;
  }

  /** Whether it has started, once; true on a server that does not say so. */
  public boolean hasStarted() {
    if (!hasStarted) {
      hasStarted = ask();
    }
    return hasStarted;
  }

  private boolean ask() {
    try {
      ObjectName name = new ObjectName(MBEAN + application);
      return !server.isRegistered(name)
          || "STARTED".equals(String.valueOf(server.getAttribute(name, "State")));
    } catch (JMException unknown) {
      return true;
    }
  }
}
