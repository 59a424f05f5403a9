package io.postbox.it.crash;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A server in a process of its own, to be killed and started again on the same data.
 *
 * <p>It is started as the server script does it, but without the script, so that what is killed is
 * the server itself. Whatever happens to the test, no process stays behind.
 */
final class LibertyProcess implements AutoCloseable {
  private static final Duration LONGEST_START = Duration.ofSeconds(120);

  private final ServerFolder folder;
  private final Rules rules;
  private final URI base;
  private @Nullable Process process;
  private int starts;

  /**
   * @param rules what is changed in it, from its next start on
   */
  LibertyProcess(ServerFolder folder, Rules rules) {
    this.folder = folder;
    this.rules = rules;
    base = folder.http();
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "no-server-stays-behind"));
  }

  /** Where it listens. */
  URI base() {
    return base;
  }

  /** The logs of the latest start. */
  Path logs() {
    return folder.logs(starts);
  }

  /** Starts the process and returns at once. */
  synchronized void start() {
    if (!exited()) {
      throw new IllegalStateException("The server in " + folder.home() + " runs already");
    }
    starts++;
    try {
      Files.createDirectories(logs());
      ProcessBuilder builder =
          new ProcessBuilder(command())
              .directory(folder.home().toFile())
              .redirectErrorStream(true)
              .redirectOutput(logs().resolve("console.log").toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("WLP_"));
      builder.environment().putAll(folder.environment(starts));
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException("The server in " + folder.home() + " does not start", e);
    }
  }

  /** Waits until the sample says that it can take an order. */
  void awaitReady() {
    try {
      await("the server's readiness, logs in " + logs())
          .atMost(LONGEST_START)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(50))
          .until(() -> failed() || Http.status(base.resolve("/health/ready")) == 200);
    } catch (ConditionTimeoutException e) {
      throw new IllegalStateException(
          "The server was not ready after " + LONGEST_START.toSeconds() + " s:\n" + problems(), e);
    }
    if (failed()) {
      throw new IllegalStateException(
          "The server does not start, logs in " + logs() + ":\n" + problems());
    }
  }

  /** SIGKILL, and waits until the process is gone. */
  synchronized void kill() {
    if (process != null) {
      process.destroyForcibly().onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }
  }

  /** Waits until it dies by itself; returns its exit code, or -1 if it does not die. */
  int awaitExit(Duration atMost) {
    Process running;
    synchronized (this) {
      running = Objects.requireNonNull(process, "not started");
    }
    return running
        .onExit()
        .thenApply(Process::exitValue)
        .completeOnTimeout(-1, atMost.toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }

  @Override
  public void close() {
    kill();
  }

  private synchronized boolean exited() {
    return process == null || !process.isAlive();
  }

  /** Whether it ended by itself, or runs without the sample, which it will not try again. */
  private boolean failed() {
    return exited() || console().stream().anyMatch(line -> line.contains("CWWKZ0002E"));
  }

  private String problems() {
    return console().stream()
        .filter(line -> line.startsWith("[ERROR") || line.startsWith("[WARN"))
        .limit(20)
        .collect(Collectors.joining("\n"));
  }

  private List<String> console() {
    try {
      return Files.readAllLines(logs().resolve("console.log"));
    } catch (IOException e) {
      throw new UncheckedIOException("The server's console cannot be read in " + logs(), e);
    }
  }

  private List<String> command() throws IOException {
    Path tools = folder.installation().resolve("bin/tools");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Quick to start rather than quick in the long run: it lives for seconds.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m"));
    command.add("-javaagent:" + tools.resolve("ws-javaagent.jar"));
    command.addAll(rules.options());
    command.addAll(List.of("-Djava.awt.headless=true", "-Djdk.attach.allowAttachSelf=true"));
    command.addAll(moduleOptions());
    command.addAll(List.of("-jar", tools.resolve("ws-server.jar").toString(), folder.server()));
    return command;
  }

  /** The openings into the JDK that the server needs; the script reads them from here too. */
  private List<String> moduleOptions() throws IOException {
    String file = Runtime.version().feature() >= 24 ? "java24.options" : "java9.options";
    Path options = folder.installation().resolve("lib/platform/java").resolve(file);
    return Files.readAllLines(options).stream()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .toList();
  }
}
