package io.postbox.crash.topology;

import io.postbox.testkit.server.ServerFolder;
import java.util.Map;

/** The broker of a server. */
public interface MessageBroker extends AutoCloseable {

  /** Liberty's own messaging engine, which dies with the server. */
  MessageBroker EMBEDDED =
      new MessageBroker() {
        @Override
        public Map<String, String> variables() {
          return Map.of();
        }

        @Override
        public Map<String, Long> depths(ServerFolder folder) {
          return Queues.depths(folder.mbeans());
        }

        @Override
        public String deadLetters() {
          return "_SYSTEM.Exception.Destination";
        }

        @Override
        public void close() {}
      };

  /** The server's variables for it. */
  Map<String, String> variables();

  /**
   * How many messages each queue holds, in whatever state.
   *
   * @param folder that of a running server
   */
  Map<String, Long> depths(ServerFolder folder);

  /** How many listeners each queue has, where that can be asked. */
  default Map<String, Long> consumers() {
    return Map.of();
  }

  /** The queue with the messages whose delivery it has abandoned. */
  String deadLetters();

  @Override
  void close();
}
