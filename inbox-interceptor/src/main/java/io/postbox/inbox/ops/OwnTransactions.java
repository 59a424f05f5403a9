package io.postbox.inbox.ops;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Transactions of our own, one after the other.
 *
 * @param dataSource connections must not be part of a transaction
 */
public record OwnTransactions(DataSource dataSource) {

  /** What is done in one transaction. */
  public interface Work<T> {
    /** Does it; whoever calls commits. */
    T on(Connection connection) throws SQLException;
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
