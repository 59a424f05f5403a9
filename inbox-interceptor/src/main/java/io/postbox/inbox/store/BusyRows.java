package io.postbox.inbox.store;

import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Lets operators' actions be in nobody's way: a handler has its rows for as long as it runs, and
 * whoever waits for it must have nothing that others need.
 */
public final class BusyRows {
  /** PostgreSQL's, and H2's. */
  private static final Set<String> GAVE_UP = Set.of("55P03", "HYT00");

  /** For what cannot be skipped: a row that another transaction has inserted. */
  private static final Duration HARDLY = Duration.ofMillis(20);

  private BusyRows() {}

  /** Limits how long the transaction waits for a lock; H2's URL sets that. */
  public static void limitWaits(Connection connection, Dialect dialect, Duration longest)
      throws SQLException {
    Sql.execute(connection, dialect.waitForLocks(longest));
  }

  /** Whether a statement stopped waiting for a lock. */
  public static boolean areShownBy(SQLException failed) {
    return GAVE_UP.contains(String.valueOf(failed.getSQLState()));
  }

  /** Takes the rows that are free. */
  @FunctionalInterface
  public interface Work<T> {
    /** What was done; empty if other transactions have too much for that. */
    Optional<T> on(Connection connection) throws SQLException;
  }

  /**
   * Does something without waiting for other transactions. If they are in its way, it is undone
   * with its locks, so that the transaction can wait for one of them.
   */
  public static <T> Optional<T> unlessBusy(Connection connection, Work<T> work)
      throws SQLException {
    Savepoint before = connection.setSavepoint();
    try {
      limitWaits(connection, Dialect.of(connection, "inbox"), HARDLY);
      Optional<T> done = work.on(connection);
      if (done.isPresent()) {
        connection.releaseSavepoint(before);
        return done;
      }
    } catch (SQLException failed) {
      if (!areShownBy(failed)) {
        throw failed;
      }
    }
    connection.rollback(before);
    return Optional.empty();
  }
}
