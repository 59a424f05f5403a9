package io.postbox.testkit.server;

import io.postbox.testkit.Ports;
import io.postbox.testkit.disk.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** That of a WildFly, made from the scripts in adapters/wildfly. */
public final class WildFlyFolder extends ServerFolder {
  private static final String CONFIGURATION = "postbox.xml";

  /** As the server's own script gives them to the JVM. */
  private static final List<String> OPENINGS =
      List.of(
          "--add-exports=java.desktop/sun.awt=ALL-UNNAMED",
          "--add-exports=java.naming/com.sun.jndi.ldap=ALL-UNNAMED",
          "--add-exports=java.naming/com.sun.jndi.url.ldap=ALL-UNNAMED",
          "--add-exports=java.naming/com.sun.jndi.url.ldaps=ALL-UNNAMED",
          "--add-exports=jdk.naming.dns/com.sun.jndi.dns=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
          "--add-opens=java.base/java.io=ALL-UNNAMED",
          "--add-opens=java.base/java.net=ALL-UNNAMED",
          "--add-opens=java.base/java.security=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
          "--add-opens=java.management/javax.management=ALL-UNNAMED",
          "--add-opens=java.naming/javax.naming=ALL-UNNAMED");

  /** By which liberty-config has it too, for the applications of the tests. */
  private static final String NAME_OF_FACTORY =
      "/subsystem=messaging-activemq/server=default/pooled-connection-factory=activemq-ra"
          + ":list-add(name=entries, value=java:/jms/cf)";

  private static final Map<String, Path> CONFIGURED = new TreeMap<>();

  private final Path installation;
  private final int managementPort;
  private final int securePort;
  private final Map<String, String> variables;

  private WildFlyFolder(
      Path root, Path installation, int port, int managementPort, Map<String, String> variables) {
    super(root, port);
    this.installation = installation;
    this.managementPort = managementPort;
    this.variables = new TreeMap<>(variables);
    securePort = Ports.next();
  }

  /**
   * Makes the folder anew.
   *
   * @param root where; emptied first
   * @param variables system properties of the server; {@code postbox.database} chooses a script
   */
  static WildFlyFolder create(Workspace workspace, Path root, Map<String, String> variables) {
    Path installation = Workspace.path("postbox.wildfly");
    WildFlyFolder folder =
        new WildFlyFolder(root, installation, Ports.next(), Ports.next(), variables);
    try {
      Folders.deleteAll(root);
      Path made =
          configured(
              installation,
              workspace.artifacts(),
              variables.getOrDefault("postbox.database", "h2"));
      Path configuration = Files.createDirectories(folder.home().resolve("configuration"));
      Folders.copyAll(installation.resolve("standalone/configuration"), configuration);
      Files.copy(made, configuration.resolve(CONFIGURATION), StandardCopyOption.REPLACE_EXISTING);
      folder.deploySample(workspace.artifacts());
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException("The server's folder cannot be made in " + root, e);
    }
  }

  /**
   * The server's configuration for a database, made by its own tool, once for all servers of this
   * JVM.
   */
  private static synchronized Path configured(Path installation, Path artifacts, String database)
      throws IOException {
    Path known = CONFIGURED.get(database);
    if (known != null) {
      return known;
    }
    Path scripts = Workspace.path("postbox.wildfly-config");
    Path configuration = installation.resolve("standalone/configuration");
    Path modules = installation.resolve("modules");
    Folders.copyAll(scripts.resolve("modules"), modules);
    for (String driver : List.of("h2", "postgresql")) {
      Files.copy(
          artifacts.resolve(driver + ".jar"),
          modules.resolve("io/postbox/%1$s/main/%1$s.jar".formatted(driver)),
          StandardCopyOption.REPLACE_EXISTING);
    }
    for (String users : List.of("demonstration-users", "demonstration-roles")) {
      Files.copy(
          scripts.resolve(users + ".properties"),
          configuration.resolve(users + ".properties"),
          StandardCopyOption.REPLACE_EXISTING);
    }
    String name = "postbox-%s.xml".formatted(database);
    Path made = configuration.resolve(name);
    Files.copy(
        configuration.resolve("standalone-full.xml"), made, StandardCopyOption.REPLACE_EXISTING);
    List<String> commands = new ArrayList<>();
    commands.add("embed-server --server-config=" + name);
    commands.addAll(
        scripts(
            scripts,
            ".cli",
            List.of(
                "transactions",
                database,
                "messaging",
                "health",
                "metrics",
                "login-basic",
                "sample",
                "demonstration")));
    commands.add(NAME_OF_FACTORY);
    commands.add("stop-embedded-server");
    Path script = Files.write(configuration.resolve(name + ".cli"), commands);
    run(
        tool(installation, List.of("--file=" + script)),
        Map.of("JBOSS_HOME", installation.toString()),
        configuration.resolve(name + ".log"));
    CONFIGURED.put(database, made);
    return made;
  }

  private static List<String> tool(Path installation, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(javaCommand());
    command.add("-Djboss.home.dir=" + installation);
    command.addAll(modular(installation, "org.jboss.as.cli"));
    command.addAll(arguments);
    return command;
  }

  private static List<String> modular(Path installation, String module) {
    return List.of(
        "-jar",
        installation.resolve("jboss-modules.jar").toString(),
        "-mp",
        installation.resolve("modules").toString(),
        module);
  }

  @Override
  public Path home() {
    return root().resolve("standalone");
  }

  @Override
  public Path dropins() {
    return home().resolve("deployments");
  }

  @Override
  public Path sample() {
    return dropins().resolve("sample-ear.ear");
  }

  @Override
  public Path messages() {
    return data().resolve("server/activemq");
  }

  @Override
  List<String> command(int start, List<String> options) {
    List<String> command = java();
    command.addAll(OPENINGS);
    command.addAll(options);
    Map<String, String> properties = new TreeMap<>(variables);
    properties.put("jboss.home.dir", installation.toString());
    properties.put("jboss.server.base.dir", home().toString());
    properties.put("jboss.server.data.dir", data().resolve("server").toString());
    properties.put("jboss.server.log.dir", logs(start).toString());
    properties.put("org.jboss.boot.log.file", logs(start).resolve(log()).toString());
    properties.put(
        "logging.configuration",
        home().resolve("configuration/logging.properties").toUri().toString());
    properties.put("postbox.data", data().toString());
    properties.put("http.port", String.valueOf(port()));
    properties.put("jboss.http.port", String.valueOf(port()));
    properties.put("jboss.https.port", String.valueOf(securePort));
    properties.put("jboss.management.http.port", String.valueOf(managementPort));
    // Code that a rule adds to a class of a module has to find Byteman, and ours, from there.
    properties.put("jboss.modules.system.pkgs", "org.jboss.byteman,io.postbox.testkit.injected");
    properties.forEach((key, value) -> command.add("-D%s=%s".formatted(key, value)));
    command.addAll(modular(installation, "org.jboss.as.standalone"));
    command.add("--server-config=" + CONFIGURATION);
    return command;
  }

  @Override
  List<String> stopCommand() {
    return tool(
        installation,
        List.of("--connect", "--controller=localhost:" + managementPort, "--command=:shutdown"));
  }

  @Override
  Map<String, String> environment(int start) {
    return Map.of("JBOSS_HOME", installation.toString());
  }

  @Override
  String log() {
    return "server.log";
  }

  /** At the port of its management, which opens when the applications are there. */
  @Override
  public URI readiness() {
    return URI.create("http://localhost:" + managementPort + "/health/ready");
  }

  @Override
  boolean saysThatSampleDoesNotStart(String line) {
    return line.contains("WFLYSRV0026");
  }

  @Override
  boolean isWarning(String consoleLine) {
    return consoleLine.contains(" WARN ") || consoleLine.contains(" ERROR ");
  }

  @Override
  boolean isError(String logLine) {
    return logLine.matches("\\S+ \\S+ (ERROR|FATAL) .*");
  }

  @Override
  String jmxAddress(long pid) throws IOException {
    return MBeans.addressOfProcess(pid);
  }
}
