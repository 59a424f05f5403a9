package io.postbox.inbox.ops;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Transactions of our own, one after the other.
 *
 * @param dataSource connections must not be part of a transaction
 */
public record OwnTransactions(DataSource dataSource) {
  /**
   * Lock time-outs, deadlocks, and rows that somebody else inserts at the same time; H2 gives up on
   * a lock after a second or two unless told otherwise.
   */
  private static final Set<String> BEGIN_ANEW =
      Set.of("HYT00", "55P03", "40P01", "40001", "90131", "23505");

  private static final int TRIES = 60;

  /** What is done in one transaction. */
  public interface Work<T> {
    /** Does it; whoever calls commits. */
    T on(Connection connection) throws SQLException;
  }

  /** Does it and commits; begins anew if a lock could not be had. */
  <T> T commit(Work<T> work) throws SQLException {
    for (int tries = TRIES; ; tries--) {
      try {
        return once(work);
      } catch (SQLException failed) {
        if (tries == 1 || !BEGIN_ANEW.contains(String.valueOf(failed.getSQLState()))) {
          throw failed;
        }
      }
    }
  }

  /** Does it and commits, or fails. */
  public <T> T once(Work<T> work) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        T result = work.on(connection);
        connection.commit();
        return result;
      } catch (Throwable failed) { // also an Error: the server may hand this connection out again
        rollBack(connection, failed);
        throw failed;
      }
    }
  }

  /** Does it with a transaction for each statement. */
  public <T> T eachAlone(Work<T> work) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(true);
      return work.on(connection);
    }
  }

  private static void rollBack(Connection connection, Throwable failed) {
    try {
      connection.rollback();
    } catch (SQLException | RuntimeException alsoFailed) {
      failed.addSuppressed(alsoFailed);
    }
  }
}
