package io.postbox.outbox.testing;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.postbox.outbox.store.Dialect;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * An empty database of its own for each test. PostgreSQL is started once for all tests of the JVM,
 * with the settings that a production server has but for {@code fsync}, and ends with the JVM.
 * These tests cut nobody's power, and waiting for the disk took half of their time; the tests in
 * the server and the crash campaign wait for it.
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
      return dataSource;
    }
  },

  /** PostgreSQL. */
  POSTGRESQL(Dialect.POSTGRESQL) {
    @Override
    public DataSource fresh() {
      assumeFalse(
          Boolean.getBoolean("h2-only"),
          "Where faults are put into the code, each in a JVM of its own, PostgreSQL is left out");
      String name = "postbox" + NUMBER.incrementAndGet();
      Server.execute("CREATE DATABASE " + name);
      CREATED.add(name);
      return Server.INSTANCE.getDatabase("postgres", name);
    }
  };

  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final Queue<String> CREATED = new ConcurrentLinkedQueue<>();

  private final Dialect dialect;

  TestDatabase(Dialect dialect) {
    this.dialect = dialect;
  }

  /** What the outbox should find it to be. */
  public Dialect dialect() {
    return dialect;
  }

  /** A database without tables. Every connection is a new one. */
  public abstract DataSource fresh();

  /**
   * Ends what is left of the test's databases after each test: they are 8 MB each, and deleting
   * hundreds of them with the server takes longer than Surefire gives a JVM to end.
   */
  public static final class Dropping implements AfterEachCallback {
    @Override
    public void afterEach(ExtensionContext context) {
      for (String name = CREATED.poll(); name != null; name = CREATED.poll()) {
        Server.execute("DROP DATABASE " + name + " WITH (FORCE)");
      }
    }
  }

  private static final class Server {
    static final EmbeddedPostgres INSTANCE = start();

    static void execute(String sql) {
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
