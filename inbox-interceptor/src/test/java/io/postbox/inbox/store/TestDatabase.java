package io.postbox.inbox.store;

import io.postbox.common.testing.PooledSessions;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The databases on which the statements must behave the same; every test gets a fresh one.
 * PostgreSQL has the settings of a production server but for {@code fsync}: these tests cut
 * nobody's power, and waiting for the disk took half of their time; the tests in the server and the
 * crash campaign wait for it.
 *
 * <p>Creating and dropping a database in PostgreSQL costs more than most tests do with it. A
 * database whose test has ended is therefore emptied and given to a later test under a new name,
 * unless the test has changed more in it than schemas.
 */
public enum TestDatabase {
  // It waits by trying again, so what can be seen is a statement that does not end.
  H2("SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE EXECUTING_STATEMENT LIKE 'INSERT%'") {
    @Override
    public String freshUrl() {
      String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000";
      IN_MEMORY.add(url);
      return url;
    }
  },

  POSTGRESQL(
      """
      SELECT COUNT(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE NOT l.granted AND a.datname = current_database()
      """) {
    @Override
    public String freshUrl() throws SQLException {
      String url = Server.RUNNING.getJdbcUrl("postgres", Server.take());
      POOLS.put(url, new PooledSessions(url));
      return url;
    }
  };

  private static final Queue<String> IN_MEMORY = new ConcurrentLinkedQueue<>();
  private static final Map<String, PooledSessions> POOLS = new ConcurrentHashMap<>();
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

  private final String waiting;

  TestDatabase(String waiting) {
    this.waiting = waiting;
  }

  /** The URL of a database that nobody has used. */
  public abstract String freshUrl() throws SQLException;

  /** A connection outside of any transaction. */
  public static Connection connect(String url) throws SQLException {
    PooledSessions pool = POOLS.get(url);
    return pool == null ? connectWithoutPool(url) : pool.getConnection();
  }

  /** A new session, which has the present settings of its database and user. */
  public static Connection connectWithoutPool(String url) throws SQLException {
    return url.startsWith("jdbc:h2")
        ? DriverManager.getConnection(url, "sa", "")
        : DriverManager.getConnection(url);
  }

  /** How many sessions wait for another one. */
  long waitingSessions(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(waiting)) {
      row.next();
      return row.getLong(1);
    }
  }

  static void takeBack() throws SQLException {
    POOLS.values().forEach(PooledSessions::close);
    POOLS.clear();
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
      for (String url = IN_MEMORY.poll(); url != null; url = IN_MEMORY.poll()) {
        try (Connection connection = connect(url);
            Statement statement = connection.createStatement()) {
          statement.execute("SHUTDOWN IMMEDIATELY");
        }
      }
    }
  }

  private static final class Server {
    static final EmbeddedPostgres RUNNING = start();

    /** Returns the name of a database that has nothing in it and nobody connected. */
    static String take() throws SQLException {
      String name = EMPTY.poll();
      if (name == null) {
        name = newName();
        execute("CREATE DATABASE " + name);
      }
      TAKEN.add(name);
      return name;
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
      try (Connection connection = RUNNING.getPostgresDatabase().getConnection();
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
      try (Connection connection =
              DriverManager.getConnection(RUNNING.getJdbcUrl("postgres", name));
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

    static void execute(String sql) throws SQLException {
      try (Connection connection = RUNNING.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }

    private static EmbeddedPostgres start() {
      try {
        return EmbeddedPostgres.builder()
            .setDataDirectory(emptyFolder())
            .setServerConfig("fsync", "off")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("full_page_writes", "on")
            .setLocaleConfig("locale", "C")
            .start();
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
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
