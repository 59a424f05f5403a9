package io.postbox.inbox.kept;

import io.postbox.common.LookupPage;
import io.postbox.inbox.FailedAttempt;
import io.postbox.inbox.FoundMessage;
import io.postbox.inbox.LookupFilter;
import io.postbox.inbox.MessageLife;
import io.postbox.inbox.MessageLookup;
import io.postbox.inbox.ops.LookupQueries;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

@ApplicationScoped
class MessageLookupBean extends OperatorBean implements MessageLookup {
  @Override
  public Optional<FoundMessage> handled(String consumer, String messageId) {
    return queries().handled(consumer, messageId);
  }

  @Override
  public LookupPage<FoundMessage> find(LookupFilter filter, String after, int size) {
    return queries().find(filter, after, size);
  }

  @Override
  public LookupPage<FailedAttempt> failures(LookupFilter filter, String after, int size) {
    return queries().failures(filter, after, size);
  }

  @Override
  public MessageLife life(String messageId) {
    return queries().life(Optional.empty(), messageId);
  }

  @Override
  public MessageLife life(String consumer, String messageId) {
    return queries().life(Optional.of(consumer), messageId);
  }

  private LookupQueries queries() {
    return new LookupQueries(
        database.calls(LookupQueries.PROBLEM), database.config(), database.contents());
  }
}
