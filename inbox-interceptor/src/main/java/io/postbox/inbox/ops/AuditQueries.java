package io.postbox.inbox.ops;

import io.postbox.common.AuditEntry;
import io.postbox.common.AuditFilter;
import io.postbox.common.LookupPage;
import io.postbox.common.store.AuditViews;
import io.postbox.common.store.LocalTransactions;
import io.postbox.inbox.InboxAudit;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.InboxLog;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Reads what people did, each query in a transaction of its own. Thread-safe. */
public final class AuditQueries implements InboxAudit {
  private final LocalTransactions transactions;
  private final AuditViews entries;

  /**
   * @param config where the tables are
   * @param dataSource its connections must not be part of a transaction
   */
  public AuditQueries(InboxConfig config, DataSource dataSource) {
    transactions = LocalTransactions.retryingConflicts(dataSource);
    entries = new AuditViews(config.tables());
  }

  @Override
  public LookupPage<AuditEntry> find(AuditFilter filter, String after, int size) {
    try {
      return transactions.commit(
          LocalTransactions.brief(connection -> entries.page(connection, filter, after, size)));
    } catch (SQLException failed) {
      throw new InboxException(
          "The audit trail cannot be read: " + InboxLog.EXCEPTIONS.of(failed), failed);
    }
  }
}
