package io.postbox.inbox.store;

import io.postbox.common.testing.PooledSessions;
import io.postbox.common.testing.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The databases on which the statements must behave the same; every test gets a fresh one. Those in
 * PostgreSQL are databases of {@link TestPostgres}.
 */
public enum TestDatabase {
  // For an insert it waits by trying again, so what can be seen is a statement that does not end.
  H2(
      """
      SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS
      WHERE BLOCKER_ID IS NOT NULL OR EXECUTING_STATEMENT LIKE 'INSERT%'
      """) {
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
      String url = TestPostgres.freshUrl();
      POOLS.put(url, new PooledSessions(url));
      return url;
    }
  };

  private static final Queue<String> IN_MEMORY = new ConcurrentLinkedQueue<>();
  private static final Map<String, PooledSessions> POOLS = new ConcurrentHashMap<>();
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
    TestPostgres.takeBack();
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
}
