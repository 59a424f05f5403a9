package io.postbox.outbox.testing;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.postbox.common.store.Dialect;
import io.postbox.common.testing.PooledSessions;
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
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * An empty database of its own for each test. PostgreSQL is started once for all tests of the JVM,
 * with the settings that a production server has but for {@code fsync}, and ends with the JVM.
 * These tests cut nobody's power, and waiting for the disk took half of their time; the tests in
 * the server and the crash campaign wait for it.
 *
 * <p>Creating and dropping a database in PostgreSQL costs more than most tests do with it. A
 * database whose test has ended is therefore emptied and given to a later test under a new name,
 * unless the test has changed more in it than schemas.
 */
public enum TestDatabase {
  /** H2 in memory, with the locks of the one in a file. */
  H2(Dialect.H2) {
    @Override
    public DataSource fresh() {
      JdbcDataSource dataSource = new JdbcDataSource();
      dataSource.setURL(
          "jdbc:h2:mem:postbox"
              + NUMBER.incrementAndGet()
              + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000");
      IN_MEMORY.add(dataSource);
      return dataSource;
    }

    @Override
    public DataSource freshWithoutPool() {
      return fresh();
    }
  },

  /** PostgreSQL. */
  POSTGRESQL(Dialect.POSTGRESQL) {
    @Override
    public DataSource fresh() {
      assumeFalse(
          Boolean.getBoolean("h2-only"),
          "Where faults are put into the code, each in a JVM of its own, PostgreSQL is left out");
      PooledSessions sessions = new PooledSessions(Server.url(Server.take()));
      POOLS.add(sessions);
      return sessions;
    }

    @Override
    public DataSource freshWithoutPool() {
      PGSimpleDataSource dataSource = new PGSimpleDataSource();
      dataSource.setUrl(Server.url(Server.take()));
      return dataSource;
    }
  };

  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final Queue<DataSource> IN_MEMORY = new ConcurrentLinkedQueue<>();
  private static final Queue<PooledSessions> POOLS = new ConcurrentLinkedQueue<>();
  private static final Queue<String> TAKEN = new ConcurrentLinkedQueue<>();
  private static final Queue<String> EMPTY = new ConcurrentLinkedQueue<>();

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

  /** Whether the database has settings, or anything that lies in no schema. */
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
        OR EXISTS (SELECT FROM pg_largeobject_metadata)
      """;

  private final Dialect dialect;

  TestDatabase(Dialect dialect) {
    this.dialect = dialect;
  }

  /** What the outbox should find it to be. */
  public Dialect dialect() {
    return dialect;
  }

  /** A database without tables. */
  public abstract DataSource fresh();

  /** A database without tables, to which every connection is a new one, with its settings. */
  public abstract DataSource freshWithoutPool();

  static void takeBack() throws SQLException {
    for (PooledSessions each = POOLS.poll(); each != null; each = POOLS.poll()) {
      each.close();
    }
    for (String name = TAKEN.poll(); name != null; name = TAKEN.poll()) {
      Server.takeBack(name);
    }
  }

  /**
   * Takes the test's databases in PostgreSQL back after each test, whoever is still connected.
   * Those of H2 end with the class, whose tests may share one; their rows would fill the JVM's
   * memory.
   */
  public static final class TakingBack implements AfterEachCallback, AfterAllCallback {
    @Override
    public void afterEach(ExtensionContext context) throws SQLException {
      takeBack();
    }

    @Override
    public void afterAll(ExtensionContext context) throws SQLException {
      for (DataSource each = IN_MEMORY.poll(); each != null; each = IN_MEMORY.poll()) {
        try (Connection connection = each.getConnection();
            Statement statement = connection.createStatement()) {
          statement.execute("SHUTDOWN IMMEDIATELY");
        }
      }
    }
  }

  private static final class Server {
    static final EmbeddedPostgres INSTANCE = start();

    /** Returns the name of a database that has nothing in it and nobody connected. */
    static String take() {
      String name = EMPTY.poll();
      if (name == null) {
        name = newName();
        execute("CREATE DATABASE " + name);
      }
      TAKEN.add(name);
      return name;
    }

    static String url(String name) {
      return INSTANCE.getJdbcUrl("postgres", name);
    }

    static void takeBack(String name) throws SQLException {
      Optional<String> renamed = rename(name);
      if (renamed.isPresent() && empty(renamed.get())) {
        EMPTY.add(renamed.get());
      } else {
        execute("DROP DATABASE " + renamed.orElse(name) + " WITH (FORCE)");
      }
    }

    /** Nobody who knows only the old name connects any more. */
    private static Optional<String> rename(String name) throws SQLException {
      String renamed = newName();
      try (Connection connection = INSTANCE.getPostgresDatabase().getConnection();
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

    /** False where a later test would see that there was an earlier one. */
    private static boolean empty(String name) throws SQLException {
      try (Connection connection = INSTANCE.getDatabase("postgres", name).getConnection();
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
      return "postbox" + NUMBER.incrementAndGet();
    }

    private static void execute(String sql) {
      try (Connection connection = INSTANCE.getPostgresDatabase().getConnection();
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
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
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

    /** The build's, one for each JVM; it may be left of a JVM that was killed. */
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
}
