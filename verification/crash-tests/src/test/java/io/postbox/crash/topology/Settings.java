package io.postbox.crash.topology;

import io.postbox.testkit.server.ServerKind;
import io.postbox.testkit.server.Workspace;
import java.nio.file.Path;
import java.util.Random;

/**
 * The settings of every test that kills servers, from the build; see the POM.
 *
 * @param workspace where the build has put what servers are made of
 * @param seed the source of all random choices
 * @param longStops whether a server is also stopped with a handler that outlasts the half minute
 *     for which the server waits itself
 * @param kind of the servers
 */
public record Settings(Workspace workspace, long seed, boolean longStops, ServerKind kind) {
  public static Settings read() {
    return new Settings(
        Workspace.read(),
        seed(Workspace.property("crash.seed")),
        Workspace.property("crash.stops").equals("long"),
        ServerKind.LIBERTY);
  }

  /** The same with servers, data and logs in a folder of their own. */
  public Settings within(String folder) {
    return new Settings(workspace.within(folder), seed, longStops, kind);
  }

  /** The same on other servers. */
  public Settings on(ServerKind other) {
    return new Settings(workspace, seed, longStops, other);
  }

  /** Where servers, data and logs may lie. */
  public Path work() {
    return workspace.work();
  }

  private static long seed(String text) {
    return text.equals("random") ? new Random().nextInt(1_000_000) : Long.parseLong(text);
  }
}
