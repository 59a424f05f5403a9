package io.postbox.common.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.Deque;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * PostgreSQL, started once for all tests of the JVM, with the settings of a production server
 * except {@code fsync} and {@code autovacuum}, and stopped with the JVM. These tests cut nobody's
 * power, and waiting for the disk took half of their time. Plans and pages are counted, and must
 * not depend on when statistics are collected, or on a snapshot that is held meanwhile. The tests
 * in the server and the crash campaign have both.
 *
 * <p>Creating and dropping a database costs more than most tests do with it. A database whose test
 * has ended is therefore emptied and given to the next test under a new name, unless the test has
 * changed more in it than schemas. Thread-safe.
 */
public final class TestPostgres {
  private static final Queue<String> TAKEN = new ConcurrentLinkedQueue<>();
  private static final Deque<String> EMPTY = new ConcurrentLinkedDeque<>();

  private static final String IN_USE = "55006";

  private static final String END_SESSIONS =
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '%s'";

  private static final String DROP_SCHEMAS =
      """
      DO $$
      DECLARE
        name TEXT;
      BEGIN
        FOR name IN SELECT nspname FROM pg_namespace
            WHERE nspname !~ '^(pg_|information_schema$)' LOOP
          EXECUTE format('DROP SCHEMA %I CASCADE', name);
        END LOOP;
        CREATE SCHEMA public AUTHORIZATION pg_database_owner;
        GRANT USAGE ON SCHEMA public TO PUBLIC;
      END $$
      """;

  /** Whether the database has settings, or objects outside of any schema. */
  private static final String CHANGED =
      """
      SELECT EXISTS (SELECT FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
          WHERE d.datname = current_database())
        OR EXISTS (SELECT FROM pg_database WHERE datname = current_database() AND datacl IS NOT NULL)
        OR EXISTS (SELECT FROM pg_prepared_xacts WHERE database = current_database())
        OR EXISTS (SELECT FROM pg_extension WHERE extname <> 'plpgsql')
        OR EXISTS (SELECT FROM pg_default_acl)
        OR EXISTS (SELECT FROM pg_event_trigger)
        OR EXISTS (SELECT FROM pg_publication)
        OR EXISTS (SELECT FROM pg_replication_slots WHERE database = current_database())
        OR EXISTS (SELECT FROM pg_largeobject_metadata)
      """;

  private TestPostgres() {}

  /** Started with the first database, not for tests on H2 alone. */
  private static final class Server {
    static final EmbeddedPostgres RUNNING = start();
  }

  /** The URL of an empty database without sessions, which is the caller's until the test's end. */
  public static String freshUrl() {
    String name = EMPTY.pollFirst();
    if (name == null) {
      name = newName();
      execute("CREATE DATABASE " + name);
    }
    TAKEN.add(name);
    return Server.RUNNING.getJdbcUrl("postgres", name);
  }

  /** Takes back all databases, and ends the sessions that are connected to them. */
  public static void takeBack() throws SQLException {
    for (String name = TAKEN.poll(); name != null; name = TAKEN.poll()) {
      Optional<String> renamed = rename(name);
      if (renamed.isPresent() && empty(renamed.get())) {
        EMPTY.addFirst(renamed.get());
      } else {
        execute("DROP DATABASE " + renamed.orElse(name) + " WITH (FORCE)");
      }
    }
  }

  /** A late session that knows only the old name can no longer connect. */
  private static Optional<String> rename(String name) throws SQLException {
    String renamed = newName();
    try (Connection connection = Server.RUNNING.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(END_SESSIONS.formatted(name));
      statement.execute("ALTER DATABASE " + name + " RENAME TO " + renamed);
      return Optional.of(renamed);
    } catch (SQLException failed) {
      if (failed.getSQLState().equals(IN_USE)) {
        return Optional.empty();
      }
      throw failed;
    }
  }

  /** False if a later test would see a trace of an earlier one. */
  private static boolean empty(String name) throws SQLException {
    try (Connection connection = Server.RUNNING.getDatabase("postgres", name).getConnection();
        Statement statement = connection.createStatement()) {
      try (ResultSet row = statement.executeQuery(CHANGED)) {
        row.next();
        if (row.getBoolean(1)) {
          return false;
        }
      }
      statement.execute(DROP_SCHEMAS);
      return true;
    }
  }

  private static String newName() {
    return "test_" + UUID.randomUUID().toString().replace("-", "");
  }

  private static void execute(String sql) {
    try (Connection connection = Server.RUNNING.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failed) {
      throw new IllegalStateException("PostgreSQL refuses: " + sql, failed);
    }
  }

  private static EmbeddedPostgres start() {
    try {
      EmbeddedPostgres server =
          EmbeddedPostgres.builder()
              .setDataDirectory(emptyFolder())
              .setServerConfig("fsync", "off")
              .setServerConfig("autovacuum", "off")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("full_page_writes", "on")
              .setServerConfig("wal_level", "logical")
              .setServerConfig("max_connections", "200")
              .setServerConfig("max_prepared_transactions", "50")
              .setLocaleConfig("locale", "C")
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server)));
      return server;
    } catch (IOException failed) {
      throw new UncheckedIOException("PostgreSQL did not start", failed);
    }
  }

  private static void close(EmbeddedPostgres server) {
    try {
      server.close();
    } catch (IOException failed) {
      throw new UncheckedIOException("PostgreSQL did not stop", failed);
    }
  }

  /** The build's folder, one for each JVM; a killed JVM may have left files in it. */
  private static Path emptyFolder() throws IOException {
    Path folder = Path.of("target", System.getProperty("postbox.postgresql", "postgresql"));
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    return folder;
  }
}
