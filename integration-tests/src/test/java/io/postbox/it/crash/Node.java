package io.postbox.it.crash;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * A server and its sample, on a database that it may share with others. Its queues are its own.
 *
 * @param name its folder's
 */
record Node(String name, ServerFolder folder, Rules rules, LibertyProcess server, Sample sample)
    implements AutoCloseable {

  /**
   * Makes it, and does not start it.
   *
   * @param root where it lies
   * @param more variables of the server
   */
  static Node create(Settings settings, Database database, Path root, Map<String, String> more) {
    Map<String, String> variables = new TreeMap<>(database.variables());
    variables.putAll(more);
    ServerFolder folder = ServerFolder.create(settings, root, variables);
    Rules rules = new Rules(settings.artifacts().resolve("byteman.jar"), root.resolve("rules"));
    LibertyProcess server = new LibertyProcess(folder, rules);
    return new Node(
        String.valueOf(root.getFileName()), folder, rules, server, new Sample(server.base()));
  }

  /** Starts it and waits until it can take an order. */
  void start() {
    server.start();
    server.awaitReady();
  }

  @Override
  public void close() {
    server.close();
  }
}
