package io.postbox.crash.topology;

import io.postbox.testkit.server.MBeans;
import java.util.Map;
import java.util.TreeMap;
import javax.management.ObjectName;

/** Counts what lies in the queues of a running server's embedded messaging engine. */
final class Queues {
  private static final String ALL = "WebSphere:feature=wasJmsServer,type=Queue,name=*";

  private Queues() {}

  /**
   * How many messages each queue holds, in whatever state.
   *
   * @param mbeans the server's
   */
  static Map<String, Long> depths(MBeans mbeans) {
    return mbeans.ask(
        server -> {
          Map<String, Long> depths = new TreeMap<>();
          for (ObjectName queue : server.queryNames(new ObjectName(ALL), null)) {
            Number depth = (Number) server.getAttribute(queue, "Depth");
            depths.put(queue.getKeyProperty("name"), depth.longValue());
          }
          if (depths.isEmpty()) {
            throw new IllegalStateException("The server has no MBean like " + ALL);
          }
          return depths;
        });
  }
}
