package io.postbox.inbox.kept;

import io.postbox.common.ops.FailureQueries;
import io.postbox.inbox.FailedAttempt;
import io.postbox.inbox.FailureGroup;
import io.postbox.inbox.FailureHistory;
import io.postbox.inbox.store.FailureViews;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

@ApplicationScoped
class FailureHistoryBean extends OperatorBean implements FailureHistory {
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
            database.ready(FailureQueries.PROBLEM),
            database.config().tables(),
            database.contents()));
  }
}
