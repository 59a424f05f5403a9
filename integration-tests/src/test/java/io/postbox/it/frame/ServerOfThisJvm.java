package io.postbox.it.frame;

import io.postbox.testkit.disk.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    if (System.getProperty("postbox.server") == null || System.getProperty(PORTS.get(0)) != null) {
      return; // tests without a server, or not the JVM's first session
    }
    List<ServerSocket> taken = new ArrayList<>();
    try {
      for (String port : PORTS) {
        ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        taken.add(free);
        System.setProperty(port, String.valueOf(free.getLocalPort()));
      }
      for (ServerSocket each : taken) {
        each.close();
      }
    } catch (IOException failed) {
      throw new UncheckedIOException("No port is free", failed);
    }
  }

  /** Makes the server, before its start. */
  static void create() throws IOException {
    Path servers = Path.of(System.getProperty("postbox.wlp"), "usr", "servers");
    Path template = servers.resolve(System.getProperty("postbox.server.template"));
    Path server = servers.resolve(System.getProperty("postbox.server"));
    Folders.deleteAll(server);
    Folders.copyAll(template, server);
    Files.writeString(server.resolve("configDropins/overrides/variables.xml"), variables());
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
