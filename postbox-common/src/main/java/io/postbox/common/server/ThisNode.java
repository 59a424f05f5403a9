package io.postbox.common.server;

import io.postbox.common.store.NodeTable.Node;
import io.postbox.common.text.Storable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLConnection;
import java.util.Properties;
import java.util.UUID;

/** This process as a node of the service. */
public final class ThisNode {
  private static final String VERSION = "/META-INF/postbox/version.properties";
  private static final int LONGEST_VERSION = 50;
  private static final int LONGEST_NAME = 63;
  private static final String NAME = newName();

  private ThisNode() {}

  /**
   * Its name, up to 100 characters: with process number and host, so that an operator finds its
   * log, and with a random part, so that a later process with the same number has another name.
   * Both modules of an application have one name, for they are one node; another start of the
   * application has another one, because it loads its classes anew.
   */
  public static String name() {
    return NAME;
  }

  /** This process, in the version of all jars of Postbox in the application. */
  public static Node node() {
    return new Node(NAME, host(NAME), Storable.line(version(), LONGEST_VERSION));
  }

  private static String newName() {
    String name = Storable.line(ManagementFactory.getRuntimeMXBean().getName(), LONGEST_NAME);
    return name + " " + UUID.randomUUID();
  }

  /** The host in such a name. */
  static String host(String name) {
    return name.substring(name.indexOf('@') + 1, name.lastIndexOf(' '));
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
