package io.postbox.testkit.server;

import static org.awaitility.Awaitility.await;

import io.postbox.testkit.disk.SmallDisks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A server in a process of its own, to be killed and started again on the same data.
 *
 * <p>It is started as the server script does it, but without the script, so that what is killed is
 * the server itself. No process stays behind, however the test ends.
 */
public final class ServerProcess implements AutoCloseable {
  private static final Duration LONGEST_START = Duration.ofMinutes(4);
  private static final String CLIENT_GONE =
      "Caused by: java.io.IOException: Response already destroyed on error condition or close";

  private final ServerFolder folder;
  private final Rules rules;
  private final URI base;
  private @Nullable Process process;
  private @Nullable SmallDisks disks;
  private int starts;

  /**
   * @param rules the changes to it, from its next start on
   */
  public ServerProcess(ServerFolder folder, Rules rules) {
    this.folder = folder;
    this.rules = rules;
    base = folder.http();
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "no-server-stays-behind"));
  }

  /** Has it see these from its next start on. */
  public void see(SmallDisks seen) {
    disks = seen;
  }

  /** Where it listens. */
  public URI base() {
    return base;
  }

  /** The logs of the latest start. */
  public Path logs() {
    return folder.logs(starts);
  }

  /** Starts the process and returns at once. */
  public synchronized void start() {
    if (!exited()) {
      throw new IllegalStateException("The server in " + folder.home() + " runs already");
    }
    starts++;
    folder.prepareStart();
    try {
      Files.createDirectories(logs());
      process = launch(folder.command(starts, rules.options()), "console.log");
    } catch (IOException e) {
      throw new UncheckedIOException("The server in " + folder.home() + " does not start", e);
    }
  }

  /** Waits until the sample says that it can take an order. */
  public void awaitReady() {
    try {
      await("the server's readiness, logs in " + logs())
          .atMost(LONGEST_START)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(50))
          .until(() -> failed() || Http.status(folder.readiness()) == 200);
    } catch (ConditionTimeoutException e) {
      throw new IllegalStateException(
          "The server was not ready after " + LONGEST_START.toSeconds() + " s:\n" + problems(), e);
    }
    if (failed()) {
      throw new IllegalStateException(
          "The server does not start, logs in " + logs() + ":\n" + problems());
    }
  }

  public boolean isRunning() {
    return !exited();
  }

  /** SIGKILL, and waits until the process is gone. */
  public synchronized void kill() {
    if (process != null) {
      process.destroyForcibly().onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }
  }

  /** SIGTERM, with which operating systems and containers ask for an end; returns at once. */
  public synchronized void terminate() {
    Objects.requireNonNull(process, "not started").destroy();
  }

  /** What stops a server from another process; returns what that exits with. */
  public int stopByCommand() {
    return run(folder.stopCommand(), "stop.log");
  }

  /** SIGSTOP: it is there, and does nothing; its connections stay open. */
  public void freeze() {
    signal("STOP");
  }

  /** SIGCONT. */
  public void thaw() {
    signal("CONT");
  }

  /** Those of the running server. */
  public MBeans mbeans() {
    return new MBeans(() -> folder.jmxAddress(pid()));
  }

  /** Waits until it dies by itself; returns its exit code, or -1 if it does not die. */
  public int awaitExit(Duration atMost) {
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

  /** The lines with this in them in the latest start's log; none while there is no log yet. */
  public List<String> lines(String part) {
    Path log = logs().resolve(folder.log());
    return (Files.exists(log) ? linesOf(log) : List.<String>of())
        .stream().filter(line -> line.contains(part)).toList();
  }

  /** The lines above WARNING that the latest start's log has with one of these in them. */
  public List<String> complaints(String... parts) {
    return linesOf(logs().resolve(folder.log())).stream()
        .filter(folder::isError)
        .filter(line -> Stream.of(parts).anyMatch(line::contains))
        .toList();
  }

  /**
   * The lines with one of these in them in the latest start's first failure data. An answer that
   * cannot be written because its client has closed the connection is nobody's failure, and passes
   * all filters on its way.
   */
  public List<String> incidents(String... parts) {
    Path folder = logs().resolve("ffdc");
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> linesOf(file).stream().noneMatch(line -> line.startsWith(CLIENT_GONE)))
          .flatMap(file -> linesOf(file).stream().map(line -> file.getFileName() + ": " + line))
          .filter(line -> Stream.of(parts).anyMatch(line::contains))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be read", e);
    }
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
    return exited() || console().stream().anyMatch(folder::saysThatSampleDoesNotStart);
  }

  private String problems() {
    return console().stream().filter(folder::isWarning).limit(20).collect(Collectors.joining("\n"));
  }

  private List<String> console() {
    return linesOf(logs().resolve("console.log"));
  }

  private Process launch(List<String> command, String log) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(disks == null ? command : disks.through(folder.home(), command))
            .directory(folder.home().toFile())
            .redirectErrorStream(true)
            .redirectOutput(logs().resolve(log).toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("WLP_"));
    builder.environment().putAll(folder.environment(starts));
    Process launched = builder.start();
    launched.getOutputStream().close(); // there is nothing to read for it
    return launched;
  }

  /** The process's id, or that of the latest one when it is gone. */
  public long pid() {
    return Objects.requireNonNull(process, "not started").pid();
  }

  private void signal(String name) {
    long pid = pid();
    int exit = run(List.of("kill", "-" + name, String.valueOf(pid)), "signal.log");
    if (exit != 0) {
      throw new IllegalStateException("kill -" + name + " " + pid + " exits with " + exit);
    }
  }

  private int run(List<String> command, String log) {
    try {
      return launch(command, log).onExit().orTimeout(90, TimeUnit.SECONDS).join().exitValue();
    } catch (IOException e) {
      throw new UncheckedIOException(command + " cannot be run", e);
    }
  }

  private static List<String> linesOf(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read", e);
    }
  }
}
