package io.postbox.outbox.ops;

import io.postbox.common.AuditEntry;
import io.postbox.common.AuditFilter;
import io.postbox.common.LookupPage;
import io.postbox.common.store.AuditViews;
import io.postbox.common.store.LocalTransactions;
import io.postbox.outbox.OutboxAudit;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.OutboxLog;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Reads what people did, each query in a transaction of its own. Thread-safe. */
public final class AuditQueries implements OutboxAudit {
  private final LocalTransactions transactions;
  private final AuditViews entries;

  /**
   * @param config where the tables are
   * @param dataSource its connections must not be part of a transaction
   */
  public AuditQueries(OutboxConfig config, DataSource dataSource) {
    transactions = new LocalTransactions(dataSource);
    entries = new AuditViews(config.tables());
  }

  @Override
  public LookupPage<AuditEntry> find(AuditFilter filter, String after, int size) {
    try {
      return transactions.commit(
          LocalTransactions.brief(connection -> entries.page(connection, filter, after, size)));
    } catch (SQLException failed) {
      throw new OutboxException(
          "The audit trail cannot be read: " + OutboxLog.EXCEPTIONS.of(failed), failed);
    }
  }
}
