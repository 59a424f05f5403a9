package io.postbox.common.server;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.SchemaException;
import io.postbox.common.store.TrialStore;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import javax.naming.NamingException;
import javax.sql.DataSource;

/**
 * Tries whether a data source takes part in the server's transactions. No standard offers a query
 * for it, and a data source that does not take part looks healthy until a transaction rolls back.
 *
 * @param transaction the calling thread's, which has not begun; empty if the server offers none
 */
public record TransactionTrial(Supplier<Optional<UserTransaction>> transaction) {
  /**
   * The server's. A thread with container-managed transactions gets none; another thread tries
   * later.
   */
  public static final TransactionTrial OF_SERVER =
      new TransactionTrial(
          () -> {
            try {
              return Optional.of((UserTransaction) Jndi.lookup("java:comp/UserTransaction"));
            } catch (NamingException | ClassCastException notHere) {
              return Optional.empty();
            }
          });

  /**
   * Refuses a data source on which a row stays after its transaction has rolled back.
   *
   * @param refusal says what that means
   */
  public void require(DataSource dataSource, TableNames tables, String service, String refusal)
      throws SQLException {
    if (!rollsBack(dataSource, new TrialStore(tables), service).orElse(true)) {
      throw new SchemaException(refusal);
    }
  }

  /**
   * Writes a row in a transaction, rolls back, and checks that it is gone.
   *
   * @return empty if this thread can begin no transaction
   */
  private Optional<Boolean> rollsBack(DataSource dataSource, TrialStore store, String service)
      throws SQLException {
    Optional<UserTransaction> found = transaction.get();
    if (found.isEmpty()) {
      return Optional.empty();
    }
    String mark = "trial " + UUID.randomUUID().toString().substring(0, 13);
    if (!isRolledBack(found.get(), dataSource, store, mark, service)) {
      return Optional.empty();
    }
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(true);
      return Optional.of(!store.delete(connection, mark));
    }
  }

  /** Whether a transaction began and was rolled back. */
  private static boolean isRolledBack(
      UserTransaction transaction,
      DataSource dataSource,
      TrialStore store,
      String mark,
      String service)
      throws SQLException {
    try {
      transaction.begin();
    } catch (NotSupportedException | SystemException | RuntimeException notHere) {
      return false;
    }
    boolean rolledBack = false;
    try (Connection connection = dataSource.getConnection()) {
      store.insert(connection, mark, service);
    } finally {
      rolledBack = rollBack(transaction);
    }
    return rolledBack;
  }

  private static boolean rollBack(UserTransaction transaction) {
    try {
      transaction.rollback();
      return true;
    } catch (SystemException | RuntimeException failed) {
      return false; // the row may stay; its mark is no module's name, so it harms nothing
    }
  }
}
