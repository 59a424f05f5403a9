package io.postbox.crash.topology;

import io.postbox.testkit.server.MBeans;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.ObjectName;

/**
 * Counts what lies in the queues of a running server's embedded messaging engine.
 *
 * @param pattern of the names of a provider's MBeans
 * @param key the key of such a name that has the queue's
 * @param depth the attribute with how many messages it holds, in whatever state
 */
record Queues(String pattern, String key, String depth) {
  private static final List<Queues> PROVIDERS =
      List.of(
          new Queues("WebSphere:feature=wasJmsServer,type=Queue,name=*", "name", "Depth"),
          new Queues(
              "jboss.as:subsystem=messaging-activemq,server=default,jms-queue=*",
              "jms-queue",
              "messageCount"),
          new Queues(
              "com.sun.messaging.jms.server:type=Destination,subtype=Monitor,desttype=q,*",
              "name",
              "NumMsgs"));

  /**
   * How many messages each queue holds, in whatever state.
   *
   * @param mbeans the server's
   */
  static Map<String, Long> depths(MBeans mbeans) {
    return mbeans.ask(
        server -> {
          Map<String, Long> depths = new TreeMap<>();
          for (Queues queues : PROVIDERS) {
            for (ObjectName queue : server.queryNames(new ObjectName(queues.pattern), null)) {
              Number depth = (Number) server.getAttribute(queue, queues.depth);
              depths.put(unquoted(queue.getKeyProperty(queues.key)), depth.longValue());
            }
          }
          if (depths.isEmpty()) {
            throw new IllegalStateException("The server has no MBean like one of " + PROVIDERS);
          }
          return depths;
        });
  }

  private static String unquoted(String name) {
    return name.startsWith("\"") ? ObjectName.unquote(name) : name;
  }
}
