package io.postbox.outbox.ops;

import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.store.LocalTransactions.Work;
import io.postbox.outbox.FailedAttempt;
import io.postbox.outbox.FailureGroup;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.store.FailureViews;
import io.postbox.outbox.store.StoredErrors;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** Reads recorded failures, each query in a transaction of its own. Thread-safe. */
public final class FailureQueries {
  private final LocalTransactions transactions;
  private final FailureViews failures;

  /**
   * @param dialect the database's
   * @param config where the tables are
   * @param dataSource its connections must not be part of a transaction
   * @param errors decrypts the recorded errors
   */
  public FailureQueries(
      Dialect dialect, OutboxConfig config, DataSource dataSource, StoredErrors errors) {
    transactions = new LocalTransactions(dataSource);
    failures = new FailureViews(dialect, config.tables(), errors);
  }

  /**
   * One page of groups.
   *
   * @throws IllegalArgumentException if the size is out of bounds
   * @throws OutboxException if the tables cannot be read
   */
  public List<FailureGroup> groups(String after, int size) {
    return ask(connection -> failures.groups(connection, after, size));
  }

  /**
   * The recorded failures of one message.
   *
   * @throws OutboxException if the tables cannot be read
   */
  public List<FailedAttempt> of(UUID messageId) {
    return ask(connection -> failures.history(connection, messageId));
  }

  private <T> T ask(Work<T> question) {
    try {
      return transactions.commit(LocalTransactions.brief(question));
    } catch (SQLException failed) {
      throw new OutboxException(
          "Recorded failures cannot be read: " + OutboxLog.EXCEPTIONS.of(failed), failed);
    }
  }
}
