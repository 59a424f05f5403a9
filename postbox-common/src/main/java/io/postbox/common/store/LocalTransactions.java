package io.postbox.common.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Runs work in database transactions of its own, outside any transaction of the server.
 *
 * @param dataSource its connections must not be part of a transaction
 * @param retried the SQL states after which the work is run again
 */
public record LocalTransactions(DataSource dataSource, Set<String> retried) {
  /** Lock time-outs and deadlocks; H2 stops waiting for a lock after a second or two by default. */
  private static final Set<String> LOCKED = Set.of("HYT00", "55P03", "40P01", "40001");

  /** H2: another transaction has changed the row. */
  private static final String CONCURRENT_UPDATE = "90131";

  /** A statement was cancelled, here because it took too long. */
  static final String CANCELLED = "57014";

  /** How long a question takes at most. */
  private static final Duration LONGEST_READ = Duration.ofSeconds(10);

  private static final String UNIQUE_VIOLATION = "23505";
  private static final int TRIES = 60;

  /** Keeps a copy. */
  public LocalTransactions {
    retried = Set.copyOf(retried);
  }

  /** Runs work again after a lock time-out or a deadlock. */
  public LocalTransactions(DataSource dataSource) {
    this(dataSource, LOCKED);
  }

  /** Runs work again also after another transaction has inserted or changed the same row. */
  public static LocalTransactions retryingConflicts(DataSource dataSource) {
    Set<String> retried = new HashSet<>(LOCKED);
    retried.add(CONCURRENT_UPDATE);
    retried.add(UNIQUE_VIOLATION);
    return new LocalTransactions(dataSource, retried);
  }

  /** The statements of one transaction. */
  public interface Work<T> {
    /** Runs them; the caller commits. */
    T on(Connection connection) throws SQLException;
  }

  /** Runs the work and commits; tries up to 60 times if another transaction is in the way. */
  public <T> T commit(Work<T> work) throws SQLException {
    for (int tries = TRIES; ; tries--) {
      try {
        return once(work);
      } catch (SQLException failed) {
        if (tries == 1 || !retried.contains(String.valueOf(failed.getSQLState()))) {
          throw failed;
        }
      }
    }
  }

  /** Runs the work once, and commits or rolls back. */
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

  /**
   * A question of a person, who does not keep a connection for long: its statements take ten
   * seconds together at most, and fail with the state 57014 when they are over.
   */
  public static <T> Work<T> brief(Work<T> question) {
    return brief(question, LONGEST_READ);
  }

  /** Work whose statements take no longer together than this. */
  public static <T> Work<T> brief(Work<T> question, Duration limit) {
    return connection -> {
      try {
        return question.on(BoundedConnection.of(connection, limit));
      } finally {
        BoundedConnection.unbind(connection);
      }
    };
  }

  /** Runs the work with each statement committed by itself. */
  public <T> T eachAlone(Work<T> work) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(true);
      return work.on(connection);
    }
  }

  /** Rolls back because of a failure; a failure to roll back is added to it. */
  public static void rollBack(Connection connection, Throwable because) {
    try {
      connection.rollback();
    } catch (SQLException | RuntimeException failed) {
      because.addSuppressed(failed);
    }
  }
}
