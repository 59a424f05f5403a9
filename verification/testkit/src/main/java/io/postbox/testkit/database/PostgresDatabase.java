package io.postbox.testkit.database;

import static org.awaitility.Awaitility.await;

import io.postbox.testkit.Ports;
import io.postbox.testkit.disk.Disk;
import io.postbox.testkit.disk.Folders;
import io.postbox.testkit.disk.SmallDisks;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** PostgreSQL with XA, in processes of its own that outlive the server. */
public final class PostgresDatabase implements Database, Backend {
  private static final String USER = "postgres";

  private static final Duration LONGEST_START = Duration.ofMinutes(1);

  /** With the little that there is to recover here. */
  private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(30);

  /** More than it can have taken before: each has 16 MB. */
  private static final int MANY_PIECES = 20;

  private final EmbeddedPostgres postgres;
  private final Path data;
  private final Path log;
  private List<String> command = List.of();
  private @Nullable Process process;
  private @Nullable SmallDisks disks;
  private List<ProcessHandle> frozen = List.of();

  /**
   * @param data where its files lie: made anew, and kept afterwards
   */
  public PostgresDatabase(Path data) {
    this(data, Map.of());
  }

  /**
   * @param data where its files lie: made anew, and kept afterwards
   * @param more settings of the server
   */
  public PostgresDatabase(Path data, Map<String, String> more) {
    this.data = data;
    try {
      Folders.deleteAll(data);
      Files.createDirectories(data.getParent());
      log = data.resolveSibling(data.getFileName() + ".log");
      Files.deleteIfExists(log);
      Redirect output = Redirect.appendTo(log.toFile());
      EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder();
      more.forEach(builder::setServerConfig);
      postgres =
          builder
              .setPort(Ports.next())
              .setDataDirectory(data)
              .setCleanDataDirectory(false)
              .setOutputRedirector(output)
              .setErrorRedirector(output)
              .setLocaleConfig("locale", "C") // an option of initdb
              .setServerConfig("max_wal_size", "96MB") // it may lie on a small disk
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

  public int port() {
    return postgres.getPort();
  }

  /** What the database has logged since it was made. */
  public Path log() {
    return log;
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

  /**
   * The transaction's number, which it gets with its first row or row lock, whichever its server.
   */
  @Override
  public String orderOfWriting() {
    return "CAST(CAST(xmin AS text) AS bigint), id";
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

  /** A fast shutdown, as PostgreSQL calls it: every session gets an error, and is cut off. */
  public void stop() {
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

  /**
   * Moves its files to two disks that can be full, one for tables and one for what it writes ahead,
   * and starts it there.
   */
  public List<Disk> moveToSmallDisks() {
    command = command(main());
    stop();
    Path ahead = data.resolve("pg_wal");
    SmallDisks moved = SmallDisks.over(List.of(data, ahead));
    disks = moved;
    start();
    return List.of(
        new Disk(DATABASE, moved, data, this::revive),
        new Disk(DATABASE_LOG, moved, ahead, this::writeAhead, this::revive));
  }

  @Override
  public void start() {
    process = launch();
    awaitAnswer(LONGEST_START);
  }

  /** One piece after the other, until there is none to be had. */
  private void writeAhead() {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (int pieces = 0; pieces < MANY_PIECES; pieces++) {
        statement.execute("SELECT pg_logical_emit_message(true, 'postbox', ''), pg_switch_wal()");
      }
    } catch (SQLException noSpace) {
      return;
    }
    throw new IllegalStateException(
        "PostgreSQL on %s has had %s more pieces".formatted(data, MANY_PIECES));
  }

  /**
   * Seen with PostgreSQL 18.6: its startup process ended for want of space, and the main one waited
   * for it for ever.
   */
  private boolean revive() {
    Process before = process;
    try {
      awaitAnswer(LONGEST_RECOVERY);
    } catch (ConditionTimeoutException hangs) {
      kill();
      awaitAnswer(LONGEST_START);
    }
    return process != before;
  }

  /** Starts it as often as it ends: something of the old one may still be there. */
  private void awaitAnswer(Duration atMost) {
    await("PostgreSQL on " + data)
        .atMost(atMost)
        .until(
            () -> {
              try {
                connect().close();
                return true;
              } catch (SQLException notYet) {
                if (process != null && !process.isAlive()) {
                  process = launch();
                }
                return false;
              }
            });
  }

  private Process launch() {
    // root has to be somebody else for it, and so has who is root only where it sees the disk
    boolean isRoot = disks != null || System.getProperty("user.name").equals("root");
    List<String> user =
        isRoot ? Stream.concat(Stream.of("unshare", "-U"), command.stream()).toList() : command;
    List<String> launched = disks == null ? user : disks.through(Path.of("/"), user);
    try {
      return new ProcessBuilder(launched)
          .redirectErrorStream(true)
          .redirectOutput(Redirect.appendTo(log.toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL does not start again: " + launched, e);
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
    Path seen = disks == null ? data : disks.seen(data);
    try (Stream<String> lines = Files.lines(seen.resolve("postmaster.pid"))) {
      return ProcessHandle.of(Long.parseLong(lines.findFirst().orElseThrow().strip()))
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL does not run on " + data, e);
    }
  }

  /** As it was started. */
  private static List<String> command(ProcessHandle process) {
    try {
      String line = Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
      return Arrays.asList(line.split("\0"));
    } catch (IOException e) {
      throw new UncheckedIOException("How was process " + process.pid() + " started?", e);
    }
  }

  @Override
  public void close() {
    thaw(); // or it would not hear that it is to stop
    if (disks != null && process != null && process.isAlive()) {
      stop(); // nothing else that stops it sees where it lies
    }
    try {
      postgres.close();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL on " + data + " does not stop", e);
    }
  }
}
