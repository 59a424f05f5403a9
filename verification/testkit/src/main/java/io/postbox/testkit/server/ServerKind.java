package io.postbox.testkit.server;

import java.nio.file.Path;
import java.util.Map;

/** The servers on which the sample runs. */
public enum ServerKind {
  LIBERTY {
    @Override
    public ServerFolder create(Workspace workspace, Path root, Map<String, String> variables) {
      return LibertyFolder.create(workspace, root, variables);
    }
  },
  WILDFLY {
    @Override
    public ServerFolder create(Workspace workspace, Path root, Map<String, String> variables) {
      return WildFlyFolder.create(workspace, root, variables);
    }
  },
  PAYARA {
    @Override
    public ServerFolder create(Workspace workspace, Path root, Map<String, String> variables) {
      return PayaraFolder.create(workspace, root, variables);
    }
  };

  /**
   * Makes a server's folder anew.
   *
   * @param root where; emptied first
   * @param variables more variables of the server, among them keys of its applications
   */
  public abstract ServerFolder create(
      Workspace workspace, Path root, Map<String, String> variables);
}
