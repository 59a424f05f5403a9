package io.postbox.testkit.server;

import io.postbox.testkit.Ports;
import io.postbox.testkit.disk.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A server's folder, made from liberty-config and the sample, with ports, data and logs of its own.
 * The installation, which several servers share, is only read.
 */
public final class ServerFolder {
  private final Workspace workspace;
  private final Path root;
  private final int port;
  private final int securePort;

  private ServerFolder(Workspace workspace, Path root, int port, int securePort) {
    this.workspace = workspace;
    this.root = root;
    this.port = port;
    this.securePort = securePort;
  }

  /**
   * Makes the folder anew.
   *
   * @param root where; emptied first
   * @param variables more variables of the server
   */
  public static ServerFolder create(Workspace workspace, Path root, Map<String, String> variables) {
    ServerFolder folder = new ServerFolder(workspace, root, Ports.next(), Ports.next());
    try {
      Folders.deleteAll(root);
      Path home = folder.home();
      Folders.copyAll(workspace.libertyConfig(), home);
      copyArtifacts(workspace.artifacts(), home);
      Files.createDirectories(folder.dropins());
      folder.override("queues.xml", QUEUES_CAN_BE_COUNTED);

      Map<String, String> bootstrap = new TreeMap<>(variables);
      bootstrap.put("http.port", String.valueOf(folder.port));
      bootstrap.put("https.port", String.valueOf(folder.securePort));
      bootstrap.put("postbox.data", folder.data().toString());
      // Code that a rule adds to one of the server's own classes has to find Byteman from there.
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
  public void override(String file, String configuration) {
    try {
      Path overrides = Files.createDirectories(home().resolve("configDropins/overrides"));
      Files.writeString(overrides.resolve(file), configuration);
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be written for " + home(), e);
    }
  }

  /** Options of the server's JVM, a line each, before the start. */
  public void jvmOptions(String options) {
    try {
      Files.writeString(home().resolve("jvm.options"), options);
    } catch (IOException e) {
      throw new UncheckedIOException("The JVM's options cannot be written for " + home(), e);
    }
  }

  /** Configuration, data and logs together. */
  public Path root() {
    return root;
  }

  String server() {
    return "sample";
  }

  Path installation() {
    return workspace.installation();
  }

  /** The configuration. */
  public Path home() {
    return root.resolve("usr/servers").resolve(server());
  }

  /** Where an application is put that the server starts by itself, before its start. */
  public Path dropins() {
    return home().resolve("dropins");
  }

  /** Where H2 keeps the database, if that is the server's. */
  public Path h2() {
    return data().resolve("h2");
  }

  /** Where embedded messaging keeps messages. */
  public Path messages() {
    return data().resolve("messages");
  }

  /** Database, messages, transaction log: all that survives. */
  Path data() {
    return root.resolve("data");
  }

  Path logs(int start) {
    return root.resolve("logs").resolve(String.format(Locale.ROOT, "start-%03d", start));
  }

  /** Those of the running server. */
  public MBeans mbeans() {
    return MBeans.ofServerIn(root.resolve("out").resolve(server()));
  }

  /** Keeps what the server has found out about itself, and left when it stopped in order. */
  public void keepCaches() {
    try {
      Folders.deleteAll(keptCaches());
      Folders.copyAll(caches(), Files.createDirectories(keptCaches()));
    } catch (IOException e) {
      throw new UncheckedIOException("The caches of " + home() + " cannot be kept", e);
    }
  }

  /** Replaces the sample before the next start, and what the server has found out about it. */
  public void replaceSample(Path ear) {
    try {
      Files.copy(ear, home().resolve("apps/sample-ear.ear"), StandardCopyOption.REPLACE_EXISTING);
      Folders.deleteAll(caches());
    } catch (IOException e) {
      throw new UncheckedIOException("The sample of " + home() + " cannot be replaced", e);
    }
  }

  /** Gives it that back, if it was kept: a server that was killed does not trust its own. */
  void restoreCaches() {
    if (Files.exists(keptCaches())) {
      try {
        Folders.deleteAll(caches());
        Folders.copyAll(keptCaches(), Files.createDirectories(caches()));
      } catch (IOException e) {
        throw new UncheckedIOException("The caches of " + home() + " cannot be restored", e);
      }
    }
  }

  private Path caches() {
    return root.resolve("out").resolve(server()).resolve("workarea");
  }

  private Path keptCaches() {
    return root.resolve("workarea-kept");
  }

  public URI https() {
    return URI.create("https://localhost:" + securePort);
  }

  public URI http() {
    return URI.create("http://localhost:" + port);
  }

  Map<String, String> environment(int start) {
    return Map.of(
        "WLP_USER_DIR", root.resolve("usr").toString(),
        "WLP_OUTPUT_DIR", root.resolve("out").toString(),
        "LOG_DIR", logs(start).toString());
  }

  private static void copyArtifacts(Path artifacts, Path home) throws IOException {
    Path apps = Files.createDirectories(home.resolve("apps"));
    Path drivers = Files.createDirectories(home.resolve("jdbc"));
    Files.copy(artifacts.resolve("sample-ear.ear"), apps.resolve("sample-ear.ear"));
    for (String driver : new String[] {"h2.jar", "postgresql.jar", "postbox-postgresql-xa.jar"}) {
      Files.copy(artifacts.resolve(driver), drivers.resolve(driver));
    }
  }
}
