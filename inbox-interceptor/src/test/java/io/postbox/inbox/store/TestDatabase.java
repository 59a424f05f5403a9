package io.postbox.inbox.store;

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
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The databases on which the statements must behave the same; every test gets a fresh one.
 * PostgreSQL has the settings of a production server but for {@code fsync}: these tests cut
 * nobody's power, and waiting for the disk took half of their time; the tests in the server and the
 * crash campaign wait for it.
 */
public enum TestDatabase {
  // It waits by trying again, so what can be seen is a statement that does not end.
  H2("SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE EXECUTING_STATEMENT LIKE 'INSERT%'") {
    @Override
    public String freshUrl() {
      return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000";
    }
  },

  POSTGRESQL(
      """
      SELECT COUNT(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE NOT l.granted AND a.datname = current_database()
      """) {
    @Override
    public String freshUrl() throws SQLException {
      String name = "test_" + UUID.randomUUID().toString().replace("-", "");
      Server.execute("CREATE DATABASE " + name);
      CREATED.add(name);
      return Server.RUNNING.getJdbcUrl("postgres", name);
    }
  };

  private static final Queue<String> CREATED = new ConcurrentLinkedQueue<>();

  private final String waiting;

  TestDatabase(String waiting) {
    this.waiting = waiting;
  }

  /** The URL of a database that nobody has used. */
  public abstract String freshUrl() throws SQLException;

  /** A connection outside of any transaction. */
  public static Connection connect(String url) throws SQLException {
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

  /**
   * Ends what is left of the test's databases after each test: they are 8 MB each, and deleting
   * hundreds of them with the server takes longer than Surefire gives a JVM to end.
   */
  public static final class Dropping implements AfterEachCallback {
    @Override
    public void afterEach(ExtensionContext context) throws SQLException {
      for (String name = CREATED.poll(); name != null; name = CREATED.poll()) {
        Server.execute("DROP DATABASE " + name + " WITH (FORCE)");
      }
    }
  }

  private static final class Server {
    static final EmbeddedPostgres RUNNING = start();

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
