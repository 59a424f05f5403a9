package io.postbox.testkit.server;

import java.nio.file.Path;

/**
 * Where the build has put what servers are made of; see the POM.
 *
 * @param installation the Open Liberty to run, shared with other tests
 * @param libertyConfig the sample's configuration
 * @param artifacts the sample's EAR and the database drivers
 * @param work where servers, data and logs may lie
 */
public record Workspace(Path installation, Path libertyConfig, Path artifacts, Path work) {

  /** That of this build. */
  public static Workspace read() {
    return new Workspace(
        path("postbox.wlp"),
        path("postbox.liberty-config"),
        path("postbox.artifacts"),
        path("postbox.work"));
  }

  /** The same with servers, data and logs in a folder of their own. */
  public Workspace within(String folder) {
    return new Workspace(installation, libertyConfig, artifacts, work.resolve(folder));
  }

  /**
   * A system property that the build sets.
   *
   * @throws IllegalStateException if it has not
   */
  public static String property(String key) {
    String value = System.getProperty(key, "");
    if (value.isEmpty()) {
      throw new IllegalStateException(
          "System property " + key + " is missing; run this through Maven: ./mvnw verify");
    }
    return value;
  }

  /** The same as a path. */
  static Path path(String key) {
    return Path.of(property(key)).toAbsolutePath().normalize();
  }
}
