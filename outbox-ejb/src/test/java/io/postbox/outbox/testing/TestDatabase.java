package io.postbox.outbox.testing;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.postbox.common.store.Dialect;
import io.postbox.common.testing.PooledSessions;
import io.postbox.common.testing.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * An empty database of its own for each test. Those in PostgreSQL are databases of {@link
 * TestPostgres}.
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
      PooledSessions sessions = new PooledSessions(TestPostgres.freshUrl());
      POOLS.add(sessions);
      return sessions;
    }

    @Override
    public DataSource freshWithoutPool() {
      PGSimpleDataSource dataSource = new PGSimpleDataSource();
      dataSource.setUrl(TestPostgres.freshUrl());
      return dataSource;
    }
  };

  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final Queue<DataSource> IN_MEMORY = new ConcurrentLinkedQueue<>();
  private static final Queue<PooledSessions> POOLS = new ConcurrentLinkedQueue<>();
  private final Dialect dialect;

  TestDatabase(Dialect dialect) {
    this.dialect = dialect;
  }

  /** The dialect that the outbox should recognise. */
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
      for (DataSource each = IN_MEMORY.poll(); each != null; each = IN_MEMORY.poll()) {
        try (Connection connection = each.getConnection();
            Statement statement = connection.createStatement()) {
          statement.execute("SHUTDOWN IMMEDIATELY");
        }
      }
    }
  }
}
