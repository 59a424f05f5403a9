package io.postbox.inbox.kept;

import io.postbox.common.AuditEntry;
import io.postbox.common.AuditFilter;
import io.postbox.common.LookupPage;
import io.postbox.common.ops.AuditQueries;
import io.postbox.inbox.InboxAudit;
import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
class InboxAuditBean extends OperatorBean implements InboxAudit {
  @Override
  public LookupPage<AuditEntry> find(AuditFilter filter, String after, int size) {
    return new AuditQueries(database.calls(AuditQueries.PROBLEM), database.config().tables())
        .find(filter, after, size);
  }
}
