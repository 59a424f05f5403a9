package io.postbox.it.crash;

import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** PostgreSQL with XA, in processes of its own that outlive the server. */
final class PostgresDatabase implements Database, Backend {
  private static final String USER = "postgres";

  private final EmbeddedPostgres postgres;
  private final Path data;
  private List<String> command = List.of();
  private List<ProcessHandle> frozen = List.of();

  /**
   * @param data where its files lie: made anew, and kept afterwards
   */
  PostgresDatabase(Path data) {
    this.data = data;
    try {
      ServerFolder.deleteAll(data);
      Files.createDirectories(data.getParent());
      Redirect log = Redirect.to(data.resolveSibling(data.getFileName() + ".log").toFile());
      postgres =
          EmbeddedPostgres.builder()
              .setDataDirectory(data)
              .setCleanDataDirectory(false)
              .setOutputRedirector(log)
              .setErrorRedirector(log)
              .setLocaleConfig("locale", "C")
              // The embedded one comes with these off, which is not a database to trust.
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("full_page_writes", "on")
              .setServerConfig("max_prepared_transactions", "50")
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL does not start on " + data, e);
    }
  }

  @Override
  public String name() {
    return "postgresql";
  }

  /** The driver's own class for XA would lose what is prepared when the database goes down. */
  @Override
  public Map<String, String> variables() {
    return Map.of(
        "postbox.postgresql.type",
        "javax.sql.XADataSource",
        "postbox.database",
        name(),
        "postbox.postgresql.host",
        "localhost",
        "postbox.postgresql.port",
        String.valueOf(postgres.getPort()),
        "postbox.postgresql.database",
        "postgres",
        "postbox.postgresql.user",
        USER,
        "postbox.postgresql.password",
        USER);
  }

  int port() {
    return postgres.getPort();
  }

  @Override
  public boolean readableBesideServer() {
    return true;
  }

  @Override
  public Connection connect() throws SQLException {
    return postgres.getPostgresDatabase().getConnection();
  }

  @Override
  public String preparedTransactions() {
    return "SELECT gid FROM pg_prepared_xacts";
  }

  @Override
  public String whereabouts() {
    return "database cluster " + data;
  }

  @Override
  public void kill() {
    command = command(main());
    signal(main(), "STOP"); // so that it begins no more
    end("KILL", all());
  }

  /** What PostgreSQL calls a fast shutdown: every session is told, and cut off. */
  void stop() {
    command = command(main());
    end("INT", List.of(main()));
  }

  @Override
  public void freeze() {
    signal(main(), "STOP"); // so that it begins no more
    frozen = all();
    frozen.forEach(process -> signal(process, "STOP"));
  }

  @Override
  public void thaw() {
    frozen.forEach(process -> signal(process, "CONT"));
    frozen = List.of();
  }

  private static void end(String signal, List<ProcessHandle> processes) {
    processes.forEach(process -> signal(process, signal));
    processes.forEach(process -> process.onExit().orTimeout(30, TimeUnit.SECONDS).join());
  }

  private List<ProcessHandle> all() {
    ProcessHandle main = main();
    return Stream.concat(Stream.of(main), main.descendants()).toList();
  }

  @Override
  public void start() {
    AtomicReference<Process> process = new AtomicReference<>(launch());
    await("PostgreSQL on " + data)
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              try {
                connect().close();
                return true;
              } catch (SQLException notYet) {
                if (!process.get().isAlive()) { // something of the old one was still there
                  process.set(launch());
                }
                return false;
              }
            });
  }

  private Process launch() {
    try {
      Redirect log = Redirect.appendTo(data.resolveSibling(data.getFileName() + ".log").toFile());
      return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL does not start again: " + command, e);
    }
  }

  private static void signal(ProcessHandle process, String name) {
    try {
      new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("kill -" + name + " " + process.pid(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ProcessHandle main() {
    try (Stream<String> lines = Files.lines(data.resolve("postmaster.pid"))) {
      return ProcessHandle.of(Long.parseLong(lines.findFirst().orElseThrow().strip()))
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL does not run on " + data, e);
    }
  }

  /** As it was started; root has to be somebody else for it, as for the first start. */
  private static List<String> command(ProcessHandle process) {
    try {
      List<String> command =
          Arrays.asList(
              Files.readString(Path.of("/proc/" + process.pid() + "/cmdline")).split("\0"));
      return System.getProperty("user.name").equals("root")
          ? Stream.concat(Stream.of("unshare", "-U"), command.stream()).toList()
          : command;
    } catch (IOException e) {
      throw new UncheckedIOException("How was process " + process.pid() + " started?", e);
    }
  }

  @Override
  public void close() {
    thaw(); // or it would not hear that it is to stop
    try {
      postgres.close();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL on " + data + " does not stop", e);
    }
  }
}
