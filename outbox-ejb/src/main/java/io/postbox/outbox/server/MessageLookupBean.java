package io.postbox.outbox.server;

import io.postbox.common.LookupPage;
import io.postbox.outbox.FoundMessage;
import io.postbox.outbox.HeldOrderingKey;
import io.postbox.outbox.LookupFilter;
import io.postbox.outbox.MessageLife;
import io.postbox.outbox.MessageLookup;
import io.postbox.outbox.ops.LookupQueries;
import io.postbox.outbox.store.StoredErrors;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.Optional;
import java.util.UUID;

/** Suspends the caller's transaction. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class MessageLookupBean implements MessageLookup {
  @Inject OutboxDatabase database;
  @Inject PayloadBeans payloads;

  @Override
  public Optional<FoundMessage> get(UUID id) {
    return queries().get(id);
  }

  @Override
  public LookupPage<FoundMessage> find(LookupFilter filter, String after, int size) {
    return queries().find(filter, after, size);
  }

  @Override
  public MessageLife life(UUID id) {
    return queries().life(id);
  }

  @Override
  public LookupPage<HeldOrderingKey> heldKeys(String after, int size) {
    return queries().heldKeys(after, size);
  }

  private LookupQueries queries() {
    return new LookupQueries(
        database.dialect(),
        database.calls(),
        database.config(),
        new StoredErrors(payloads.cipher()));
  }
}
