package io.postbox.it.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Counts what lies in the queues of a running server's embedded messaging engine. */
final class Queues {
  private static final String ALL = "WebSphere:feature=wasJmsServer,type=Queue,name=*";

  private Queues() {}

  /**
   * How many messages each queue holds, in whatever state.
   *
   * @param address the file in which the server says how to reach its MBeans
   */
  static Map<String, Long> depths(Path address) {
    try (JMXConnector connector =
        JMXConnectorFactory.connect(new JMXServiceURL(Files.readString(address).strip()))) {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      Map<String, Long> depths = new TreeMap<>();
      for (ObjectName queue : server.queryNames(new ObjectName(ALL), null)) {
        Number depth = (Number) server.getAttribute(queue, "Depth");
        depths.put(queue.getKeyProperty("name"), depth.longValue());
      }
      if (depths.isEmpty()) {
        throw new IllegalStateException("The server has no MBean like " + ALL);
      }
      return depths;
    } catch (IOException | JMException e) {
      throw new IllegalStateException("The queues cannot be counted through " + address, e);
    }
  }
}
