package io.postbox.test.database;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.AgroalConnectionFactoryConfiguration.TransactionIsolation;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.agroal.narayana.NarayanaTransactionIntegration;
import io.postbox.common.store.Dialect;
import io.postbox.test.store.DatabaseClock;
import io.postbox.test.store.Effects;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * A test's database. Its connections take part in the calling thread's JTA transaction, as the only
 * resource, and it has the test's time. Thread-safe.
 */
public final class JtaDatabase implements AutoCloseable {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final int POOL = 30;

  private final boolean isOwn;
  private final AgroalDataSource pool;
  private final DatabaseClock clock;
  private final Dialect dialect;
  private final DataSource dataSource;

  private JtaDatabase(String url, String user, String password, boolean isOwn, InstantSource time) {
    this.isOwn = isOwn;
    try {
      pool = pool(url, user, password);
      try (Connection connection = pool.getConnection()) {
        dialect = Dialect.of(connection, "outbox");
        clock = new DatabaseClock(dialect);
        clock.install(connection, time);
      }
    } catch (SQLException failed) {
      throw new IllegalArgumentException(
          "The test's database cannot be used: "
              + url
              + ". It has to be reachable, empty or left by a harness that is closed, and this"
              + " one's alone.",
          failed);
    }
    dataSource = RewritingDataSource.of(pool, clock::rewritten);
  }

  /** A new H2 database in memory, which ends with {@link #close}. */
  public static JtaDatabase h2(InstantSource time) {
    String url =
        "jdbc:h2:mem:postbox-test-%s;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000"
            .formatted(NUMBER.incrementAndGet());
    return new JtaDatabase(url, "", "", true, time);
  }

  /**
   * A database of H2 or PostgreSQL that the caller empties afterwards: an empty one, or one that
   * another harness has left.
   *
   * @throws IllegalArgumentException if it cannot be reached, or another harness is in it
   */
  public static JtaDatabase at(String url, String user, String password, InstantSource time) {
    return new JtaDatabase(url, user, password, false, time);
  }

  private static AgroalDataSource pool(String url, String user, String password)
      throws SQLException {
    return AgroalDataSource.from(
        new AgroalDataSourceConfigurationSupplier()
            .connectionPoolConfiguration(
                pool ->
                    pool.maxSize(POOL)
                        .transactionIntegration(
                            new NarayanaTransactionIntegration(
                                Transactions.manager(), Transactions.registry()))
                        .connectionFactoryConfiguration(
                            connections ->
                                connections
                                    .jdbcUrl(url)
                                    .principal(new NamePrincipal(user))
                                    .credential(new SimplePassword(password))
                                    .jdbcTransactionIsolation(
                                        TransactionIsolation.READ_COMMITTED))));
  }

  /** Its connections. */
  public DataSource dataSource() {
    return dataSource;
  }

  /** Which database it is. */
  public Dialect dialect() {
    return dialect;
  }

  /** Tells the database the time. */
  public void tell(Instant time) {
    Transactions.suspended(
        () -> {
          try (Connection connection = pool.getConnection()) {
            clock.set(connection, time);
            return time;
          } catch (SQLException failed) {
            throw new IllegalStateException("The database does not take the test's time", failed);
          }
        });
  }

  /** Closes its connections, and ends a database in memory. */
  @Override
  public void close() {
    try (Connection connection = pool.getConnection()) {
      clock.uninstall(connection);
    } catch (SQLException gone) {
      // then its clock is asked by nobody
    }
    if (isOwn) {
      new Effects(pool).execute("SHUTDOWN IMMEDIATELY");
    }
    pool.close();
  }
}
