package io.postbox.outbox.server;

import io.postbox.common.AuditEntry;
import io.postbox.common.AuditFilter;
import io.postbox.common.LookupPage;
import io.postbox.common.ops.AuditQueries;
import io.postbox.common.ops.FailureQueries;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.outbox.FailedAttempt;
import io.postbox.outbox.FailureGroup;
import io.postbox.outbox.FailureHistory;
import io.postbox.outbox.FoundMessage;
import io.postbox.outbox.HeldOrderingKey;
import io.postbox.outbox.LookupFilter;
import io.postbox.outbox.MessageLife;
import io.postbox.outbox.MessageLookup;
import io.postbox.outbox.OutboxAudit;
import io.postbox.outbox.ops.LookupQueries;
import io.postbox.outbox.store.FailureViews;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What changes nothing: the look-up of messages, recorded failures, and what people did. */
@ApplicationScoped
class QueriesBean extends OperatorBean implements MessageLookup, FailureHistory, OutboxAudit {
  @Override
  public Optional<FoundMessage> get(UUID id) {
    return messages().get(id);
  }

  @Override
  public LookupPage<FoundMessage> find(LookupFilter filter, String after, int size) {
    return messages().find(filter, after, size);
  }

  @Override
  public MessageLife life(UUID id) {
    return messages().life(id);
  }

  @Override
  public LookupPage<HeldOrderingKey> heldKeys(String after, int size) {
    return messages().heldKeys(after, size);
  }

  @Override
  public List<FailureGroup> groups(String after, int size) {
    return failures().groups(after, size);
  }

  @Override
  public List<FailedAttempt> of(UUID messageId) {
    return failures().of(messageId);
  }

  @Override
  public LookupPage<AuditEntry> find(AuditFilter filter, String after, int size) {
    return new AuditQueries(calls(), database.config().tables()).find(filter, after, size);
  }

  private LookupQueries messages() {
    return new LookupQueries(database.dialect(), calls(), database.config(), errors());
  }

  private FailureQueries<FailedAttempt, FailureGroup> failures() {
    return new FailureQueries<>(
        calls(), new FailureViews(database.dialect(), database.config().tables(), errors()));
  }

  private OperatorCalls calls() {
    return database.tables().calls();
  }
}
