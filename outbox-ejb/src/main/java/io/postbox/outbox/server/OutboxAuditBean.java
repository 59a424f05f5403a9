package io.postbox.outbox.server;

import io.postbox.common.AuditEntry;
import io.postbox.common.AuditFilter;
import io.postbox.common.LookupPage;
import io.postbox.outbox.OutboxAudit;
import io.postbox.outbox.ops.AuditQueries;
import io.postbox.outbox.server.OutboxDatabase.Part;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;

/** Suspends the caller's transaction. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class OutboxAuditBean implements OutboxAudit {
  @Inject OutboxDatabase database;

  private Part<AuditQueries> queries;

  @PostConstruct
  void wire() {
    queries =
        database.whenReady(dialect -> new AuditQueries(database.config(), database.dataSource()));
  }

  @Override
  public LookupPage<AuditEntry> find(AuditFilter filter, String after, int size) {
    return queries.get().find(filter, after, size);
  }
}
