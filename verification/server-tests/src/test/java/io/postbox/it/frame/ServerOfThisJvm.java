package io.postbox.it.frame;

import io.postbox.testkit.Ports;
import io.postbox.testkit.disk.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Gives each JVM that tests run in a server of its own: the one that the build has made, copied,
 * with other ports. Arquillian reads where it is from system properties, some of which the build
 * sets and the rest this.
 */
public final class ServerOfThisJvm implements LauncherSessionListener {
  private static final List<String> PORTS =
      List.of("postbox.http.port", "postbox.https.port", "it.postgres.port");

  /** The server's own message. */
  private static final String PORT_TAKEN = "CWWKO0221E";

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    if (System.getProperty("postbox.server") == null || System.getProperty(PORTS.get(0)) != null) {
      return; // tests without a server, or not the JVM's first session
    }
    for (String port : PORTS) {
      System.setProperty(port, String.valueOf(Ports.next()));
    }
  }

  /** Makes the server, before its start. */
  static void create() throws IOException {
    Folders.deleteAll(folder());
    Folders.copyAll(servers().resolve(System.getProperty("postbox.server.template")), folder());
    Files.writeString(folder().resolve("configDropins/overrides/variables.xml"), variables());
  }

  /**
   * That the server has its ports, after its start: it starts without them too, and then each test
   * in it fails with an error that does not say so.
   */
  static void check() throws IOException {
    try (Stream<String> lines = Files.lines(folder().resolve("logs/messages.log"))) {
      lines
          .filter(it -> it.contains(PORT_TAKEN))
          .findFirst()
          .ifPresent(
              it -> {
                throw new IllegalStateException("The server does not have its ports: " + it);
              });
    }
  }

  private static Path folder() {
    return servers().resolve(System.getProperty("postbox.server"));
  }

  private static Path servers() {
    return Path.of(System.getProperty("postbox.wlp"), "usr", "servers");
  }

  private static String variables() {
    return """
        <server>
          <variable name="http.port" value="%s"/>
          <variable name="https.port" value="%s"/>
          <variable name="postbox.data" value="%s"/>
          <variable name="it.postgres.port" value="%s"/>
          <variable name="it.postgres.log" value="%s"/>
        </server>
        """
        .formatted(
            System.getProperty("postbox.http.port"),
            System.getProperty("postbox.https.port"),
            System.getProperty("postbox.data"),
            System.getProperty("it.postgres.port"),
            System.getProperty("it.postgres.log"));
  }
}
