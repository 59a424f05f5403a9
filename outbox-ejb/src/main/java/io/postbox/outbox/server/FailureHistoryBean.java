package io.postbox.outbox.server;

import io.postbox.outbox.FailedAttempt;
import io.postbox.outbox.FailureGroup;
import io.postbox.outbox.FailureHistory;
import io.postbox.outbox.ops.FailureQueries;
import io.postbox.outbox.server.OutboxDatabase.Part;
import io.postbox.outbox.store.StoredErrors;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.UUID;

/** Suspends the caller's transaction. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class FailureHistoryBean implements FailureHistory {
  @Inject OutboxDatabase database;
  @Inject PayloadBeans payloads;

  private Part<FailureQueries> queries;

  @PostConstruct
  void wire() {
    queries =
        database.whenReady(
            dialect ->
                new FailureQueries(
                    dialect,
                    database.config(),
                    database.dataSource(),
                    new StoredErrors(payloads.cipher())));
  }

  @Override
  public List<FailureGroup> groups(String after, int size) {
    return queries.get().groups(after, size);
  }

  @Override
  public List<FailedAttempt> of(UUID messageId) {
    return queries.get().of(messageId);
  }
}
