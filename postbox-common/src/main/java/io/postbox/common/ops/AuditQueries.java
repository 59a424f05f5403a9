package io.postbox.common.ops;

import io.postbox.common.AuditEntry;
import io.postbox.common.AuditFilter;
import io.postbox.common.AuditTrail;
import io.postbox.common.LookupPage;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.AuditViews;

/**
 * Reads what people did. Thread-safe.
 *
 * @param calls runs the queries
 * @param tables where the tables are
 */
public record AuditQueries(OperatorCalls calls, TableNames tables) implements AuditTrail {
  /** What is not so while nothing can be read. */
  public static final String PROBLEM = "The audit trail cannot be read";

  @Override
  public LookupPage<AuditEntry> find(AuditFilter filter, String after, int size) {
    AuditViews entries = new AuditViews(tables);
    return calls.ask(PROBLEM, connection -> entries.page(connection, filter, after, size));
  }
}
