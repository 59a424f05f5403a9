package io.postbox.crash.topology;

import io.postbox.testkit.server.ServerProcess;
import java.util.Map;

/** The broker of a server. */
public interface MessageBroker extends AutoCloseable {

  /** Liberty's own messaging engine, which dies with the server. */
  MessageBroker EMBEDDED = new Embedded("_SYSTEM.Exception.Destination");

  /** WildFly's own Artemis, which dies with the server. */
  MessageBroker OF_WILDFLY = new Embedded("DLQ");

  /** Payara's own OpenMQ, which dies with the server. */
  MessageBroker OF_PAYARA = new Embedded("mq.sys.dmq");

  /**
   * In the server.
   *
   * @param deadLetters the queue with the messages whose delivery it has abandoned
   */
  record Embedded(String deadLetters) implements MessageBroker {
    @Override
    public Map<String, String> variables() {
      return Map.of();
    }

    @Override
    public Map<String, Long> depths(ServerProcess server) {
      return Queues.depths(server.mbeans());
    }

    @Override
    public void close() {}
  }

  /** The server's variables for it. */
  Map<String, String> variables();

  /**
   * How many messages each queue holds, in whatever state.
   *
   * @param server a running one
   */
  Map<String, Long> depths(ServerProcess server);

  /** How many listeners each queue has, where that can be asked. */
  default Map<String, Long> consumers() {
    return Map.of();
  }

  /** The queue with the messages whose delivery it has abandoned. */
  String deadLetters();

  @Override
  void close();
}
