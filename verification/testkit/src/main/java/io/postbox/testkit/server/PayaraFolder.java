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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** That of a Payara, made from the scripts in adapters/payara. */
public final class PayaraFolder extends ServerFolder {
  private static final String DOMAIN = "domain1";
  private static final String BEFORE_COMMAND = "Dump of JVM Invocation line";
  private static final String NO_GRID = "<hazelcast-runtime-configuration enabled=\"false\"";

  /** Those of a domain as it comes: of HTTP, of the administration, and others. */
  private static final List<Integer> PORTS =
      List.of(8080, 4848, 8181, 3700, 3820, 3920, 8686, 7676);

  private static final Map<String, Path> CONFIGURED = new TreeMap<>();

  private final Path installation;
  private final Map<String, String> variables;

  private PayaraFolder(Path root, Path installation, int port, Map<String, String> variables) {
    super(root, port);
    this.installation = installation;
    this.variables = new TreeMap<>(variables);
  }

  /**
   * Makes the folder anew.
   *
   * @param root where; emptied first
   * @param variables system properties of the server; {@code postbox.database} chooses a script
   */
  static PayaraFolder create(Workspace workspace, Path root, Map<String, String> variables) {
    Path installation = Workspace.path("postbox.payara");
    try {
      Folders.deleteAll(root);
      Path domain = root.resolve(DOMAIN);
      Folders.copyAll(
          configured(
              installation,
              workspace.artifacts(),
              variables.getOrDefault("postbox.database", "h2")),
          domain);
      int port = choosePorts(domain).get(0);
      PayaraFolder folder = new PayaraFolder(root, installation, port, variables);
      folder.deploySample(workspace.artifacts());
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException("The server's folder cannot be made in " + root, e);
    }
  }

  /**
   * A domain for a database, without ports of its own, made by the server's own tool, once for all
   * servers of this JVM.
   */
  private static synchronized Path configured(Path installation, Path artifacts, String database)
      throws IOException {
    Path known = CONFIGURED.get(database);
    if (known != null) {
      return known;
    }
    Path scripts = Workspace.path("postbox.payara-config");
    Path work = installation.resolve("glassfish/postbox-" + database);
    Path domain = work.resolve(DOMAIN);
    Folders.deleteAll(work);
    Folders.copyAll(installation.resolve("glassfish/domains").resolve(DOMAIN), domain);
    Files.copy(
        artifacts.resolve("h2.jar"),
        installation.resolve("h2db/bin/h2.jar"),
        StandardCopyOption.REPLACE_EXISTING);
    Files.copy(artifacts.resolve("postgresql.jar"), domain.resolve("lib/postgresql.jar"));
    Files.copy(
        scripts.resolve("demonstration-keyfile"), domain.resolve("config/demonstration-keyfile"));
    Path script =
        Files.write(
            work.resolve("commands.asadmin"),
            scripts(
                scripts,
                ".asadmin",
                List.of("transactions", database, "sample", "messaging", "demonstration")));
    List<Integer> ports = choosePorts(domain);
    List<String> where = List.of("--domaindir", work.toString());
    List<String> start = new ArrayList<>(where);
    start.addAll(List.of("--postbootcommandfile", script.toString()));
    run(tool(installation, "start-domain", start), Map.of(), work.resolve("start.log"));
    run(tool(installation, "stop-domain", where), Map.of(), work.resolve("stop.log"));
    for (String failed : Files.readAllLines(domain.resolve("logs/server.log"))) {
      if (failed.contains("Boot Command") && failed.contains(" failed ")) {
        throw new IOException("The server does not take a script: " + failed);
      }
    }
    Path xml = domain.resolve("config/domain.xml");
    String configuration = Files.readString(xml);
    for (int i = 0; i < PORTS.size(); i++) {
      configuration = withPort(configuration, ports.get(i), PORTS.get(i));
    }
    Files.writeString(xml, configuration.replace("<hazelcast-runtime-configuration", NO_GRID));
    Path logging = domain.resolve("config/logging.properties");
    Files.writeString(
        logging,
        Files.readString(logging)
            .replace("${com.sun.aas.instanceRoot}/logs/server.log", "${postbox.logs}/server.log")
            .replace("multiLineMode=true", "multiLineMode=false")
            .replace("ansiColor=true", "ansiColor=false"));
    for (String made : List.of("logs", "osgi-cache", "generated", "imq")) {
      Folders.deleteAll(domain.resolve(made));
    }
    CONFIGURED.put(database, domain);
    return domain;
  }

  /** Free ones instead of those of {@link #PORTS}. */
  private static List<Integer> choosePorts(Path domain) throws IOException {
    Path xml = domain.resolve("config/domain.xml");
    String configuration = Files.readString(xml);
    List<Integer> chosen = new ArrayList<>();
    for (int port : PORTS) {
      int free = Ports.next();
      configuration = withPort(configuration, port, free);
      chosen.add(free);
    }
    Files.writeString(xml, configuration);
    return chosen;
  }

  private static String withPort(String configuration, int old, int other) {
    return Stream.of("port=\"%s\"", "value=\"%s\"")
        .reduce(
            configuration,
            (text, form) -> text.replace(form.formatted(old), form.formatted(other)),
            (first, second) -> second);
  }

  private static List<String> tool(Path installation, String command, List<String> arguments) {
    List<String> all = new ArrayList<>();
    all.add(javaCommand());
    all.add("-jar");
    all.add(installation.resolve("glassfish/lib/client/appserver-cli.jar").toString());
    all.add(command);
    all.addAll(arguments);
    all.add(DOMAIN);
    return all;
  }

  @Override
  public Path home() {
    return root().resolve(DOMAIN);
  }

  @Override
  public Path dropins() {
    return home().resolve("autodeploy");
  }

  @Override
  public Path sample() {
    return dropins().resolve("sample-ear.ear");
  }

  @Override
  public Path messages() {
    return home().resolve("imq");
  }

  /** What its own tool would start. */
  @Override
  List<String> command(int start, List<String> options) {
    List<String> asked = dryRun();
    List<String> command = java();
    command.addAll(options);
    Map<String, String> properties = new TreeMap<>(variables);
    properties.put("postbox.data", data().toString());
    properties.put("postbox.logs", logs(start).toString());
    properties.put("http.port", String.valueOf(port()));
    // Code that a rule adds to a class of a bundle has to find Byteman, and ours, from there.
    properties.put(
        "org.osgi.framework.bootdelegation",
        "jdk.internal.reflect,jdk.internal.reflect.*,jdk.net,org.jboss.byteman.*,"
            + "io.postbox.testkit.injected");
    properties.forEach((key, value) -> command.add("-D%s=%s".formatted(key, value)));
    command.addAll(asked.subList(1, asked.size()));
    set(command, "-read-stdin", "false");
    set(command, "-verbose", "true");
    return command;
  }

  private static void set(List<String> command, String option, String value) {
    command.set(command.indexOf(option) + 1, value);
  }

  private List<String> dryRun() {
    List<String> command =
        tool(installation, "start-domain", List.of("--dry-run", "--domaindir", root().toString()));
    Path log = root().resolve("dry-run.log");
    try {
      run(command, Map.of(), log);
      List<String> told =
          Files.readAllLines(log).stream()
              .dropWhile(line -> !line.startsWith(BEFORE_COMMAND))
              .skip(1)
              .takeWhile(line -> !line.isEmpty())
              .collect(Collectors.toList());
      if (told.isEmpty()) {
        throw new IllegalStateException("The server's tool does not tell its command: " + log);
      }
      return told;
    } catch (IOException e) {
      throw new UncheckedIOException("The server's tool does not tell its command", e);
    }
  }

  @Override
  List<String> stopCommand() {
    return tool(installation, "stop-domain", List.of("--domaindir", root().toString()));
  }

  @Override
  Map<String, String> environment(int start) {
    return Map.of();
  }

  @Override
  String log() {
    return "server.log";
  }

  /** Its health is up before the application is. */
  @Override
  public URI readiness() {
    return http().resolve("/api/totals");
  }

  @Override
  boolean saysThatSampleDoesNotStart(String line) {
    return line.contains("Autodeploy failed");
  }

  @Override
  boolean isWarning(String consoleLine) {
    return consoleLine.contains("|WARNING|") || consoleLine.contains("|SEVERE|");
  }

  @Override
  boolean isError(String logLine) {
    return logLine.contains(" [SEVERE] ");
  }

  @Override
  String jmxAddress(long pid) throws IOException {
    return MBeans.addressOfProcess(pid);
  }
}
