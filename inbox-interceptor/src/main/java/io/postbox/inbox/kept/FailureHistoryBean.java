package io.postbox.inbox.kept;

import io.postbox.inbox.FailedAttempt;
import io.postbox.inbox.FailureGroup;
import io.postbox.inbox.FailureHistory;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.ops.FailureQueries;
import io.postbox.inbox.startup.InboxDatabase;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.List;

/** Suspends the caller's transaction. */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class FailureHistoryBean implements FailureHistory {
  @Inject InboxDatabase database;

  @Override
  public List<FailureGroup> groups(String after, int size) {
    return queries().groups(after, size);
  }

  @Override
  public List<FailedAttempt> of(String consumer, String messageId) {
    return queries().of(consumer, messageId);
  }

  private FailureQueries queries() {
    if (database.stores().isEmpty()) {
      throw new InboxException(
          "Recorded failures cannot be read, because the inbox is not ready: " + database.problem(),
          null);
    }
    return new FailureQueries(database.config(), database.dataSource(), database.contents());
  }
}
