package io.postbox.inbox.kept;

import io.postbox.common.ops.FailureQueries;
import io.postbox.inbox.FailedAttempt;
import io.postbox.inbox.FailureGroup;
import io.postbox.inbox.FailureHistory;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.store.FailureViews;
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

  private FailureQueries<FailedAttempt, FailureGroup> queries() {
    return new FailureQueries<>(
        database.calls(FailureQueries.PROBLEM),
        new FailureViews(
            database.dialect().orElseThrow(), database.config().tables(), database.contents()));
  }
}
