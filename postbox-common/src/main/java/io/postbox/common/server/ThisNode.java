package io.postbox.common.server;

import io.postbox.common.store.NodeTable.Node;
import io.postbox.common.text.Storable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLConnection;
import java.util.Properties;

/** This process as a node of the service. */
public final class ThisNode {
  private static final String VERSION = "/META-INF/postbox/version.properties";
  private static final int LONGEST_VERSION = 50;

  private ThisNode() {}

  /**
   * This process, in the version of all jars of Postbox in the application.
   *
   * @param name from {@link ProcessName}
   */
  public static Node of(String name) {
    return new Node(name, ProcessName.host(name), Storable.line(version(), LONGEST_VERSION));
  }

  private static String version() {
    URL found = ThisNode.class.getResource(VERSION);
    if (found == null) { // the jar was packed anew, without it
      return "unknown";
    }
    try {
      URLConnection connection = found.openConnection();
      connection.setUseCaches(false); // a cache would keep the jar open after the stop
      try (InputStream in = connection.getInputStream()) {
        Properties jar = new Properties();
        jar.load(in);
        return jar.getProperty("version", "unknown");
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
