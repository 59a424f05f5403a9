package io.postbox.outbox.server;

import io.postbox.common.LookupPage;
import io.postbox.outbox.FoundMessage;
import io.postbox.outbox.HeldOrderingKey;
import io.postbox.outbox.LookupFilter;
import io.postbox.outbox.MessageLife;
import io.postbox.outbox.MessageLookup;
import io.postbox.outbox.ops.LookupQueries;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.UUID;

@ApplicationScoped
class MessageLookupBean extends OperatorBean implements MessageLookup {
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
    return new LookupQueries(database.dialect(), database.calls(), database.config(), errors());
  }
}
