package io.postbox.outbox.server;

import io.postbox.common.AuditEntry;
import io.postbox.common.AuditFilter;
import io.postbox.common.LookupPage;
import io.postbox.common.ops.AuditQueries;
import io.postbox.outbox.OutboxAudit;
import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
class OutboxAuditBean extends OperatorBean implements OutboxAudit {
  @Override
  public LookupPage<AuditEntry> find(AuditFilter filter, String after, int size) {
    return new AuditQueries(database.calls(), database.config().tables()).find(filter, after, size);
  }
}
