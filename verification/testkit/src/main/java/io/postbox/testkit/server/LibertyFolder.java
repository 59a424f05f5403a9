package io.postbox.testkit.server;

import io.postbox.testkit.Ports;
import io.postbox.testkit.disk.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** That of an Open Liberty, made from liberty-config. */
public final class LibertyFolder extends ServerFolder {
  private static final String SERVER = "sample";
  private final Path installation;
  private final int securePort;

  private LibertyFolder(Workspace workspace, Path root, int port, int securePort) {
    super(root, port);
    installation = workspace.installation();
    this.securePort = securePort;
  }

  /**
   * Makes the folder anew.
   *
   * @param root where; emptied first
   * @param variables more variables of the server
   */
  public static LibertyFolder create(
      Workspace workspace, Path root, Map<String, String> variables) {
    LibertyFolder folder = new LibertyFolder(workspace, root, Ports.next(), Ports.next());
    try {
      Folders.deleteAll(root);
      Path home = folder.home();
      Folders.copyAll(workspace.libertyConfig(), home);
      copyArtifacts(workspace.artifacts(), home);
      Files.createDirectories(folder.dropins());
      folder.override("queues.xml", QUEUES_CAN_BE_COUNTED);

      Map<String, String> bootstrap = new TreeMap<>(variables);
      bootstrap.put("http.port", String.valueOf(folder.port()));
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

  @Override
  public Path home() {
    return root().resolve("usr/servers").resolve(SERVER);
  }

  @Override
  public Path dropins() {
    return home().resolve("dropins");
  }

  @Override
  public Path sample() {
    return home().resolve("apps/sample-ear.ear");
  }

  @Override
  public Path messages() {
    return data().resolve("messages");
  }

  @Override
  String jmxAddress(long pid) throws IOException {
    return MBeans.addressOfLibertyIn(output());
  }

  private Path output() {
    return root().resolve("out").resolve(SERVER);
  }

  @Override
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
      Files.copy(ear, sample(), StandardCopyOption.REPLACE_EXISTING);
      Folders.deleteAll(caches());
    } catch (IOException e) {
      throw new UncheckedIOException("The sample of " + home() + " cannot be replaced", e);
    }
  }

  /** Gives it that back, if it was kept: a server that was killed does not trust its own. */
  @Override
  void prepareStart() {
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
    return output().resolve("workarea");
  }

  private Path keptCaches() {
    return root().resolve("workarea-kept");
  }

  public URI https() {
    return URI.create("https://localhost:" + securePort);
  }

  @Override
  public URI readiness() {
    return http().resolve("/health/ready");
  }

  @Override
  Map<String, String> environment(int start) {
    return Map.of(
        "WLP_USER_DIR", root().resolve("usr").toString(),
        "WLP_OUTPUT_DIR", root().resolve("out").toString(),
        "LOG_DIR", logs(start).toString());
  }

  @Override
  List<String> command(int start, List<String> options) {
    return server(options, List.of());
  }

  @Override
  List<String> stopCommand() {
    return server(List.of(), List.of("--stop"));
  }

  private List<String> server(List<String> options, List<String> arguments) {
    Path tools = installation.resolve("bin/tools");
    List<String> command = java();
    command.add("-javaagent:" + tools.resolve("ws-javaagent.jar"));
    command.addAll(options);
    command.addAll(List.of("-Djava.awt.headless=true", "-Djdk.attach.allowAttachSelf=true"));
    command.addAll(moduleOptions());
    command.addAll(List.of("-jar", tools.resolve("ws-server.jar").toString(), SERVER));
    command.addAll(arguments);
    return command;
  }

  /** The openings into the JDK that the server needs; the script reads them from here too. */
  private List<String> moduleOptions() {
    String file = Runtime.version().feature() >= 24 ? "java24.options" : "java9.options";
    return optionsIn(installation.resolve("lib/platform/java").resolve(file));
  }

  @Override
  String log() {
    return "messages.log";
  }

  @Override
  boolean saysThatSampleDoesNotStart(String line) {
    return line.contains("CWWKZ0002E");
  }

  @Override
  boolean isWarning(String consoleLine) {
    return consoleLine.startsWith("[ERROR") || consoleLine.startsWith("[WARN");
  }

  @Override
  boolean isError(String logLine) {
    return logLine.matches("\\[.+?] \\w+ .+? [EF] .*");
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
