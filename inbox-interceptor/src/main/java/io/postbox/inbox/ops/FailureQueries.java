package io.postbox.inbox.ops;

import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.store.LocalTransactions.Work;
import io.postbox.inbox.FailedAttempt;
import io.postbox.inbox.FailureGroup;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.store.FailureViews;
import io.postbox.inbox.store.KeptContents;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** Reads recorded failures, each query in a transaction of its own. Thread-safe. */
public final class FailureQueries {
  private final LocalTransactions transactions;
  private final InboxConfig config;
  private final KeptContents contents;

  /**
   * @param config where the tables are
   * @param dataSource its connections must not be part of a transaction
   * @param contents decrypts the recorded errors
   */
  public FailureQueries(InboxConfig config, DataSource dataSource, KeptContents contents) {
    transactions = LocalTransactions.retryingConflicts(dataSource);
    this.config = config;
    this.contents = contents;
  }

  /**
   * One page of groups.
   *
   * @throws IllegalArgumentException if the size is out of bounds
   * @throws InboxException if the tables cannot be read
   */
  public List<FailureGroup> groups(String after, int size) {
    return ask(connection -> views(connection).groups(connection, after, size));
  }

  /**
   * The recorded failures of one message.
   *
   * @throws InboxException if the tables cannot be read
   */
  public List<FailedAttempt> of(String consumer, String messageId) {
    return ask(connection -> views(connection).history(connection, consumer, messageId));
  }

  private FailureViews views(Connection connection) throws SQLException {
    return new FailureViews(Dialect.of(connection, "inbox"), config.tables(), contents);
  }

  private <T> T ask(Work<T> question) {
    try {
      return transactions.commit(LocalTransactions.brief(question));
    } catch (SQLException failed) {
      throw new InboxException(
          "Recorded failures cannot be read: " + InboxLog.EXCEPTIONS.of(failed), failed);
    }
  }
}
