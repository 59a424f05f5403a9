package io.postbox.outbox.ops;

import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.ops.Plans;
import io.postbox.common.store.ActionTable;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.OutboxLog;
import javax.sql.DataSource;

/**
 * The tables of an outbox, for operators' calls and background work.
 *
 * @param dialect the database's
 * @param config where the tables are, and which service owns them
 * @param dataSource its connections must not be part of a transaction
 */
public record OutboxTables(Dialect dialect, OutboxConfig config, DataSource dataSource) {

  /** Runs what operators ask and change. */
  public OperatorCalls calls() {
    return new OperatorCalls(new LocalTransactions(dataSource), OutboxLog::failure);
  }

  /** The record of what operators do. */
  AuditStore audit() {
    return new AuditStore("outbox", config.tables(), config.service());
  }

  /** The plans of what operators do. */
  Plans plans() {
    return new Plans(
        new OperatorCalls(LocalTransactions.retryingConflicts(dataSource), OutboxLog::failure),
        new ActionTable(dialect, config.tables().qualified("outbox_action")),
        audit(),
        OutboxLog::planRefused);
  }
}
