package io.postbox.outbox.ops;

import io.postbox.outbox.store.Connections;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Transactions of our own, one after the other.
 *
 * @param dataSource connections must not be part of a transaction
 */
record OwnTransactions(DataSource dataSource) {
  /** Lock time-outs and deadlocks; H2 gives up on a lock after a second unless told otherwise. */
  private static final Set<String> LOCKED = Set.of("HYT00", "55P03", "40P01", "40001");

  private static final int TRIES = 60;

  /** What is done in one transaction. */
  interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  /** Does it and commits; begins anew if a lock could not be had. */
  <T> T commit(Work<T> work) throws SQLException {
    for (int tries = TRIES; ; tries--) {
      try {
        return once(work);
      } catch (SQLException failed) {
        if (tries == 1 || !LOCKED.contains(String.valueOf(failed.getSQLState()))) {
          throw failed;
        }
      }
    }
  }

  /** Does it and commits, or fails. */
  <T> T once(Work<T> work) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        T result = work.on(connection);
        connection.commit();
        return result;
      } catch (Throwable failed) { // also an Error: the server may hand this connection out again
        Connections.rollBack(connection, failed);
        throw failed;
      }
    }
  }
}
