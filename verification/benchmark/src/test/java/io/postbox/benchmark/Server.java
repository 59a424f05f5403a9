package io.postbox.benchmark;

import static org.awaitility.Awaitility.await;

import io.postbox.testkit.Ports;
import io.postbox.testkit.disk.Folders;
import io.postbox.testkit.server.Http;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The real Open Liberty with liberty-config and the application that is measured. */
final class Server implements AutoCloseable {
  static final String WORKERS = "postbox.outbox.relay.workers";
  static final String ENABLED = "postbox.outbox.relay.enabled";
  static final String DATA_SOURCE_TYPE = "postbox.postgresql.type";
  static final String BATCH_SIZE = "postbox.outbox.relay.batch-size";

  private static final Duration LONGEST_START = Duration.ofMinutes(5);
  private static final String NAME = "measured";

  /**
   * The settings of a recording beside those of "profile": every wait that counts within a
   * millisecond.
   */
  private static final String WAITS =
      Stream.of("ThreadPark", "JavaMonitorEnter", "JavaMonitorWait", "SocketRead", "FileForce")
          .map(",jdk.%s#threshold=10us"::formatted)
          .collect(Collectors.joining());

  private final Path installation = Options.path("wlp");
  private final Path user;
  private final URI base;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Thread stopper = new Thread(this::stop, "no-server-stays-behind");

  /**
   * Makes its folder anew, and starts it.
   *
   * @param user the folder
   * @param recording the file for what Java Flight Recorder sees until the server stops, if it is
   *     to
   * @param variables variables of the server, among them the application if it is not that of the
   *     relay, and keys of the configuration: those in bootstrap.properties are system properties
   *     too
   */
  Server(Path user, Optional<Path> recording, Map<String, String> variables) throws Exception {
    this(user, recording, variables, Optional.empty());
  }

  /**
   * The same with what another build of Postbox has in place of this one's.
   *
   * @param other a checkout in which the sample was built
   */
  Server(Path user, Optional<Path> recording, Map<String, String> variables, Optional<Path> other)
      throws Exception {
    this.user = user;
    Folders.deleteAll(user);
    Path home = user.resolve("servers").resolve(NAME);
    Folders.copyAll(installation.resolve("usr/servers/template"), home);
    if (other.isPresent()) {
      Folders.copyAll(other.get().resolve("liberty-config"), home);
    }
    Folders.copyAll(Options.path("config"), home);
    Path apps = Files.createDirectories(home.resolve("apps"));
    Files.copy(Options.path("war"), apps.resolve("benchmark.war"));
    Files.copy(Options.path("inbox.war"), apps.resolve("inbox.war"));
    Files.copy(Options.path("shop.war"), apps.resolve("shop.war"));
    Files.copy(
        other
            .map(build -> build.resolve("sample-ear/target/sample-ear.ear"))
            .orElseGet(() -> Options.path("sample")),
        apps.resolve("sample-ear.ear"));
    Files.copy(Options.path("postgresql-xa"), home.resolve("jdbc/postbox-postgresql-xa.jar"));
    // For long runs, unlike the tests' servers.
    List<String> jvm = new ArrayList<>(List.of("-Xms1g", "-Xmx1g"));
    if (recording.isPresent()) {
      Files.createDirectories(recording.get().getParent());
      jvm.add("-XX:StartFlightRecording:settings=profile,filename=" + recording.get() + WAITS);
    }
    Files.write(home.resolve("jvm.options"), jvm);
    int port = Ports.next();
    base = URI.create("http://localhost:" + port);
    Map<String, String> all = new TreeMap<>(variables);
    all.putIfAbsent("postbox.application", "benchmark");
    all.put("postbox.data", user.resolve("data").toString());
    all.put("http.port", String.valueOf(port));
    all.put("https.port", String.valueOf(Ports.next()));
    Files.write(
        home.resolve("bootstrap.properties"),
        all.entrySet().stream().map(it -> it.getKey() + "=" + it.getValue()).toList());
    Runtime.getRuntime().addShutdownHook(stopper);
    run("start");
    awaitReady();
  }

  /** Posts without a body, and answers what is answered. */
  String post(String path) throws IOException, InterruptedException {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(base.resolve(path))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build(),
            BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IOException(path + " was answered " + response.statusCode() + response.body());
    }
    return response.body();
  }

  /** Where it listens. */
  URI base() {
    return base;
  }

  /** Its process. */
  ProcessHandle process() throws IOException {
    String pid = Files.readString(user.resolve("servers/.pid").resolve(NAME + ".pid")).strip();
    return ProcessHandle.of(Long.parseLong(pid))
        .orElseThrow(() -> new IllegalStateException("The server in " + user + " is gone"));
  }

  @Override
  public void close() {
    stop();
    Runtime.getRuntime().removeShutdownHook(stopper);
  }

  private void stop() {
    run("stop");
  }

  private void run(String command) {
    try {
      ProcessBuilder builder =
          new ProcessBuilder(installation.resolve("bin/server").toString(), command, NAME)
              .redirectErrorStream(true)
              .redirectOutput(user.resolve(command + ".log").toFile());
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      builder.environment().put("WLP_USER_DIR", user.toString());
      builder.start().waitFor(3, TimeUnit.MINUTES);
    } catch (IOException e) {
      throw new UncheckedIOException("server " + command + " does not work", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }

  private void awaitReady() {
    await("the readiness of the server in " + user)
        .atMost(LONGEST_START)
        .pollInterval(Duration.ofMillis(100))
        .until(() -> Http.status(base.resolve("/health/ready")) == 200);
  }
}
