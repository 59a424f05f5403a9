package io.postbox.it.crash;

import io.postbox.it.frame.MBeans;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/**
 * A server's folder, made from liberty-config and the sample, with ports, data and logs of its own.
 * What several servers share, the installation, is only read.
 */
final class ServerFolder {
  private final Settings settings;
  private final Path root;
  private final int port;
  private final int securePort;

  private ServerFolder(Settings settings, Path root, int port, int securePort) {
    this.settings = settings;
    this.root = root;
    this.port = port;
    this.securePort = securePort;
  }

  /**
   * Makes the folder anew.
   *
   * @param root where; what was in it is gone
   * @param variables more variables of the server
   */
  static ServerFolder create(Settings settings, Path root, Map<String, String> variables) {
    try (ServerSocket http = freePort();
        ServerSocket https = freePort()) {
      deleteAll(root);
      ServerFolder folder =
          new ServerFolder(settings, root, http.getLocalPort(), https.getLocalPort());
      Path home = folder.home();
      copyAll(settings.libertyConfig(), home);
      copyArtifacts(settings.artifacts(), home);
      folder.override("queues.xml", QUEUES_CAN_BE_COUNTED);

      Map<String, String> bootstrap = new TreeMap<>(variables);
      bootstrap.put("http.port", String.valueOf(http.getLocalPort()));
      bootstrap.put("https.port", String.valueOf(https.getLocalPort()));
      bootstrap.put("postbox.data", folder.data().toString());
      // What rules put into a class of the server's own has to find Byteman from there.
      bootstrap.put("org.osgi.framework.bootdelegation", "org.jboss.byteman.*");
      Files.write(
          home.resolve("bootstrap.properties"),
          bootstrap.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList());
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException("The server's folder cannot be made in " + root, e);
    }
  }

  private static final String QUEUES_CAN_BE_COUNTED =
      """
      <server>
        <featureManager>
          <feature>localConnector-1.0</feature>
        </featureManager>
      </server>
      """;

  /** Adds to the configuration, before the start. */
  void override(String file, String configuration) {
    try {
      Path overrides = Files.createDirectories(home().resolve("configDropins/overrides"));
      Files.writeString(overrides.resolve(file), configuration);
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be written for " + home(), e);
    }
  }

  /** Configuration, data and logs together. */
  Path root() {
    return root;
  }

  String server() {
    return "crash";
  }

  Path installation() {
    return settings.installation();
  }

  /** The configuration. */
  Path home() {
    return root.resolve("usr/servers").resolve(server());
  }

  /** Where H2 keeps the database, if that is the server's. */
  Path h2() {
    return data().resolve("h2");
  }

  /** Where embedded messaging keeps messages. */
  Path messages() {
    return data().resolve("messages");
  }

  /** Database, messages, transaction log: what survives. */
  Path data() {
    return root.resolve("data");
  }

  Path logs(int start) {
    return root.resolve("logs").resolve("start-%03d".formatted(start));
  }

  /** Those of the running server. */
  MBeans mbeans() {
    return MBeans.ofServerIn(root.resolve("out").resolve(server()));
  }

  /** Keeps what the server has found out about itself, and left when it stopped in order. */
  void keepCaches() {
    try {
      deleteAll(keptCaches());
      copyAll(caches(), Files.createDirectories(keptCaches()));
    } catch (IOException e) {
      throw new UncheckedIOException("What " + home() + " has cached cannot be kept", e);
    }
  }

  /** Gives it that back, if it was kept: a server that was killed takes its own for spoilt. */
  void restoreCaches() {
    if (Files.exists(keptCaches())) {
      try {
        deleteAll(caches());
        copyAll(keptCaches(), Files.createDirectories(caches()));
      } catch (IOException e) {
        throw new UncheckedIOException("What " + home() + " has cached cannot be restored", e);
      }
    }
  }

  private Path caches() {
    return root.resolve("out").resolve(server()).resolve("workarea");
  }

  private Path keptCaches() {
    return root.resolve("workarea-kept");
  }

  URI https() {
    return URI.create("https://localhost:" + securePort);
  }

  URI http() {
    return URI.create("http://localhost:" + port);
  }

  Map<String, String> environment(int start) {
    return Map.of(
        "WLP_USER_DIR", root.resolve("usr").toString(),
        "WLP_OUTPUT_DIR", root.resolve("out").toString(),
        "LOG_DIR", logs(start).toString());
  }

  private static ServerSocket freePort() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  private static void copyArtifacts(Path artifacts, Path home) throws IOException {
    ShrinkWrap.create(WebArchive.class)
        .addClasses(HostileServlet.class, HostileMessage.class)
        .as(ZipExporter.class)
        .exportTo(Files.createDirectories(home.resolve("dropins")).resolve("hostile.war").toFile());
    Path apps = Files.createDirectories(home.resolve("apps"));
    Path drivers = Files.createDirectories(home.resolve("jdbc"));
    Files.copy(artifacts.resolve("sample-ear.ear"), apps.resolve("sample-ear.ear"));
    for (String driver : new String[] {"h2.jar", "postgresql.jar", "postgresql-xa.jar"}) {
      Files.copy(artifacts.resolve(driver), drivers.resolve(driver));
    }
  }

  private static void copyAll(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  /** Deletes all that is in a folder. */
  static void empty(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        deleteAll(file);
      }
    }
  }

  /** Deletes a folder and all that is in it, if it exists. */
  static void deleteAll(Path root) throws IOException {
    if (Files.exists(root)) {
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
