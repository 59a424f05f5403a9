package io.postbox.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A server's folder, made from its configuration and the sample, with ports, data and logs of its
 * own. The installation, which several servers share, is only read.
 */
public abstract class ServerFolder {
  private final Path root;
  private final int port;

  /**
   * @param root configuration, data and logs
   * @param port where it listens
   */
  ServerFolder(Path root, int port) {
    this.root = root;
    this.port = port;
  }

  /** Configuration, data and logs together. */
  public final Path root() {
    return root;
  }

  final int port() {
    return port;
  }

  public final URI http() {
    return URI.create("http://localhost:" + port);
  }

  /** The configuration. */
  public abstract Path home();

  /** Where an application is put that the server starts by itself, before its start. */
  public abstract Path dropins();

  /** The sample's archive. */
  public abstract Path sample();

  /** Where H2 keeps the database, if that is the server's. */
  public final Path h2() {
    return data().resolve("h2");
  }

  /** Where embedded messaging keeps messages. */
  public abstract Path messages();

  /** Database, messages, transaction log: all that survives. */
  final Path data() {
    return root.resolve("data");
  }

  final Path logs(int start) {
    return root.resolve("logs").resolve(String.format(Locale.ROOT, "start-%03d", start));
  }

  /** Options of the server's JVM, a line each, before the start. */
  public final void jvmOptions(String options) {
    try {
      Files.writeString(jvmOptions(), options);
    } catch (IOException e) {
      throw new UncheckedIOException("The JVM's options cannot be written for " + home(), e);
    }
  }

  private Path jvmOptions() {
    return home().resolve("jvm.options");
  }

  /** Keeps what the server has found out about itself, and left when it stopped in order. */
  public void keepCaches() {}

  /** Called before each start. */
  void prepareStart() {}

  /** What starts it. */
  abstract List<String> command(int start, List<String> options);

  /** What stops it from another process. */
  abstract List<String> stopCommand();

  abstract Map<String, String> environment(int start);

  /** The name of the log, which is below those of a start. */
  abstract String log();

  /** What answers 200 as soon as it can take an order. */
  public abstract URI readiness();

  /** The server goes on without it, and will not try it again. */
  abstract boolean saysThatSampleDoesNotStart(String line);

  /** Warnings and worse, in what it writes to the console. */
  abstract boolean isWarning(String consoleLine);

  /** What is worse than a warning, in the log. */
  abstract boolean isError(String logLine);

  /**
   * How to reach the MBeans of the running server.
   *
   * @param pid its process
   */
  abstract String jmxAddress(long pid) throws IOException;

  /** Java, quick to start rather than quick in the long run: a server lives for seconds. */
  final List<String> java() {
    List<String> command = new ArrayList<>();
    command.add(javaCommand());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xms512m",
            "-Xmx512m",
            "-XX:MetaspaceSize=192m"));
    command.addAll(optionsIn(jvmOptions()));
    return command;
  }

  /** That of the JDK which runs this. */
  static String javaCommand() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Puts the sample to where the server starts it by itself. */
  final void deploySample(Path artifacts) throws IOException {
    Files.createDirectories(dropins());
    Files.copy(artifacts.resolve("sample-ear.ear"), sample());
  }

  /** The lines of scripts, one after the other. */
  static List<String> scripts(Path folder, String suffix, List<String> names) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String name : names) {
      lines.addAll(Files.readAllLines(folder.resolve(name + suffix)));
    }
    return lines;
  }

  /** Runs a tool of the server's to its end. */
  static void run(List<String> command, Map<String, String> environment, Path log)
      throws IOException {
    ProcessBuilder tool =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    tool.environment().putAll(environment);
    int exit = tool.start().onExit().orTimeout(120, TimeUnit.SECONDS).join().exitValue();
    if (exit != 0) {
      throw new IOException("The server's tool exits with " + exit + ", log in " + log);
    }
  }

  /** A file's lines but for comments; none if there is no such file. */
  static List<String> optionsIn(Path file) {
    try {
      return (Files.exists(file) ? Files.readAllLines(file) : List.<String>of())
          .stream()
              .map(String::strip)
              .filter(line -> !line.isEmpty() && !line.startsWith("#"))
              .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read", e);
    }
  }
}
